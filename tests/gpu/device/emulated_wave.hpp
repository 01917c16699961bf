// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Lanes are fibers, each of which runs until it asks other lanes something. A wave is one warp, or two in step, as on
// GPUs whose waves have 64 lanes (gpu/hip/device_platform.hpp). On these, warps that part at a branch go on one after
// the other, each as far as the place where they meet again. Here that is where device code says so (in_step), and
// until then only the one goes on that is behind in the code, even if it goes round a loop for ever. It takes code that
// lies in memory as it is written, in one piece and not optimised.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace airamp::gpu::device {

inline constexpr std::uint32_t warp_lanes = 32;

class EmulatedWave;

class EmulatedLane {
 public:
  enum class Question {
    nothing,
    ballot,
    shuffle,
    any_in_warp,
    any,
    meet_in_warp,
    in_step,
    meet_in_block,
    nothing_more
  };

  /// `number`: unlike that of all other lanes.
  EmulatedLane(EmulatedWave& wave, std::uint32_t thread, std::uint32_t number);
  EmulatedLane(const EmulatedLane&) = delete;
  EmulatedLane& operator=(const EmulatedLane&) = delete;

  std::uint32_t thread() const { return thread_; }
  std::uint32_t number() const { return number_; }

  /// By the lane itself, which goes on with the answer. `place`: where in the code it asks; `value`: its part of the
  /// question; `of`: the lane whose value it wants.
  std::uint32_t ask(Question question, const void* place, std::uint32_t value, std::uint32_t of);

 private:
  friend class EmulatedWave;

  EmulatedWave& wave_;
  std::uint32_t thread_, number_;
  boost::context::fiber fiber_;  ///< the rest of what it does, while it waits
  Question asks_ = Question::nothing;
  const std::byte* place_ = nullptr;
  std::uint32_t value_ = 0, answer_ = 0, of_ = 0;
};

/// What a wave is part of.
class EmulatedWaveOwner {
 public:
  virtual void run(EmulatedLane& lane) = 0;               ///< the kernel, in one lane
  virtual void resume(EmulatedLane& lane) = 0;            ///< the lane is about to go on
  virtual void met_in_warp(const EmulatedLane& one) = 0;  ///< the lanes of its warp have waited for each other

 protected:
  ~EmulatedWaveOwner() = default;
};

class EmulatedWave {
 public:
  using Question = EmulatedLane::Question;

  /// `threads`: 32 or 64.
  EmulatedWave(EmulatedWaveOwner& owner, std::uint32_t first_thread, std::uint32_t threads, std::uint32_t first_number);
  EmulatedWave(const EmulatedWave&) = delete;
  EmulatedWave& operator=(const EmulatedWave&) = delete;

  /// All lanes that have their answers go on until they ask; then a question is answered. False if lanes of a warp ask
  /// different things.
  bool step();

  bool has_ended() const;
  /// Whether it waits for the rest of its block, until release().
  bool waits_for_block() const;
  void release();

 private:
  friend class EmulatedLane;
  using WarpLanes = const std::unique_ptr<EmulatedLane>*;

  boost::context::fiber fiber_of(EmulatedLane& lane);
  void leave(boost::context::fiber& own);
  boost::context::fiber& next();
  bool answer();
  bool go_on_in_step();
  void answer_warp(WarpLanes warp, bool any);

  EmulatedWaveOwner& owner_;
  std::vector<std::unique_ptr<EmulatedLane>> lanes_;
  boost::context::fiber scheduler_;
  boost::context::fiber* left_ = nullptr;  ///< whose fiber is handed to who goes on after it
  std::size_t next_ = 0;
};

}  // namespace airamp::gpu::device
