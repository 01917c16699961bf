// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What gpu/device/platform.hpp includes where device code is tested without a GPU. Lanes are fibers, each of which runs
// until it asks other lanes something, and one wave runs at a time: a warp, or two warps in step, as on GPUs whose
// waves have 64 lanes (gpu/hip/device_platform.hpp). What lanes store arrives word by word, in any order, while lanes
// go on. Nothing here is thread-safe.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "gpu/device/vector.hpp"

#define AIRAMP_DEVICE inline
#define AIRAMP_DEVICE_OUT_OF_LINE
#define AIRAMP_UNROLL

namespace airamp::gpu::device {

/// What lanes have stored, and what of it has arrived.
class EmulatedMemory {
 public:
  struct Store {
    std::uint32_t* to;
    std::uint32_t word;
  };

  void store(std::uint32_t* to, std::uint32_t word) {
    stores_.push_back({to, word});
    under_way_.push_back({to, word});
  }

  /// All since the last clear().
  const std::vector<Store>& stores() const { return stores_; }

  /// Forgets all stores, also those that have not arrived.
  void clear() {
    stores_.clear();
    under_way_.clear();
    newest_first_ = random_() % 2 != 0;
  }

  /// Lets some more stores arrive, or none for once; false if all have arrived.
  bool deliver_some() {
    if (under_way_.empty()) return false;
    if (random_() % 2 != 0) deliver(1 + random_() % under_way_.size());
    return true;
  }

  void deliver_all() { deliver(under_way_.size()); }

 private:
  void deliver(std::size_t count) {
    for (; count > 0; --count) {
      if (!newest_first_) std::swap(under_way_.back(), under_way_[random_() % under_way_.size()]);
      *under_way_.back().to = under_way_.back().word;
      under_way_.pop_back();
    }
  }

  std::vector<Store> stores_, under_way_;
  bool newest_first_ = false;
  std::mt19937 random_;
};
inline EmulatedMemory emulated_memory;

/// 32 or 64 lanes. An answer to `any` waits for all of them but those that have ended, other answers for the warp
/// alone.
class EmulatedWave {
 public:
  enum class Question { none, ballot, shuffle, any_in_warp, any, nothing_more };

  /// Runs `body` in all of 32 or 64 lanes. False if it would never end: lanes of a warp ask different things, or all
  /// ask again and again and nothing is under way to them.
  bool run(int lanes, std::function<void(int)> body) {
    lanes_ = lanes;
    body_ = std::move(body);
    for (int i = 0; i < lanes; ++i) start(lane_[i]);
    for (int rounds_in_vain = 0; rounds_in_vain < max_rounds_in_vain;) {
      current_ = -1;
      go_on(scheduler_);
      if (std::all_of(&lane_[0], &lane_[lanes], [](const Lane& l) { return l.asks == Question::nothing_more; }))
        return true;
      if (!answer()) return false;
      rounds_in_vain = emulated_memory.deliver_some() ? 0 : rounds_in_vain + 1;
    }
    return false;
  }

  int current_lane() const { return current_; }

  /// By a lane: `value` is its part of the question, `of` the lane whose value it wants.
  std::uint32_t ask(Question question, std::uint32_t value, int of = 0) {
    Lane& self = lane_[current_];
    self.asks = question;
    self.value = value;
    self.of = of;
    go_on(self.context);
    return self.answer;
  }

 private:
  static constexpr int warp_lanes = 32, max_lanes = 64;
  static constexpr std::size_t stack_bytes = 65536;
  /// More than any code here asks between two stores.
  static constexpr int max_rounds_in_vain = 100;

  struct Lane {
    ucontext_t context;
    std::unique_ptr<std::byte[]> stack = std::make_unique<std::byte[]>(stack_bytes);
    Question asks;
    std::uint32_t value, answer;
    int of;
  };

  void start(Lane& lane) {
    getcontext(&lane.context);
    lane.context.uc_stack.ss_sp = lane.stack.get();
    lane.context.uc_stack.ss_size = stack_bytes;
    lane.asks = Question::none;
    makecontext(&lane.context, run_current_lane, 0);
  }

  static void run_current_lane();

  /// Leaves `from` for the next lane that has its answer, or for the scheduler after the last.
  void go_on(ucontext_t& from) {
    do ++current_;
    while (current_ < lanes_ && lane_[current_].asks != Question::none);
    swapcontext(&from, current_ < lanes_ ? &lane_[current_].context : &scheduler_);
  }

  /// Questions to warps come before those to the wave, which wait for every lane that has not ended.
  bool answer() {
    bool only_wave = true;
    for (int first = 0; first < lanes_; first += warp_lanes) {
      Lane* const warp = &lane_[first];
      const Question asked = warp->asks;
      if (std::any_of(warp, warp + warp_lanes, [=](const Lane& l) { return l.asks != asked; })) return false;
      if (asked == Question::any || asked == Question::nothing_more) continue;
      only_wave = false;
      std::uint32_t bits = 0;
      for (int i = 0; i < warp_lanes; ++i) bits |= (warp[i].value & 1u) << i;
      for (int i = 0; i < warp_lanes; ++i) {
        warp[i].answer = asked == Question::shuffle  ? warp[warp[i].of].value
                         : asked == Question::ballot ? bits
                                                     : bits != 0;
        warp[i].asks = Question::none;
      }
    }
    if (!only_wave) return true;
    const bool any =
        std::any_of(&lane_[0], &lane_[lanes_], [](const Lane& l) { return l.asks == Question::any && l.value != 0; });
    for (int i = 0; i < lanes_; ++i) {
      if (lane_[i].asks != Question::any) continue;
      lane_[i].answer = any;
      lane_[i].asks = Question::none;
    }
    return true;
  }

  std::array<Lane, max_lanes> lane_;
  ucontext_t scheduler_;
  int lanes_ = 0;
  int current_ = 0;
  std::function<void(int)> body_;
};
inline EmulatedWave emulated_wave;

inline void EmulatedWave::run_current_lane() {
  Lane& self = emulated_wave.lane_[emulated_wave.current_];
  emulated_wave.body_(emulated_wave.current_);
  self.asks = Question::nothing_more;
  emulated_wave.go_on(self.context);
}

AIRAMP_DEVICE int lane_index() { return emulated_wave.current_lane() % 32; }

/// Of the whole wave.
AIRAMP_DEVICE bool any(bool predicate) { return emulated_wave.ask(EmulatedWave::Question::any, predicate) != 0; }
AIRAMP_DEVICE bool any_in_warp(bool predicate) {
  return emulated_wave.ask(EmulatedWave::Question::any_in_warp, predicate) != 0;
}
AIRAMP_DEVICE std::uint32_t ballot(bool predicate) {
  return emulated_wave.ask(EmulatedWave::Question::ballot, predicate);
}
AIRAMP_DEVICE std::uint32_t shuffle(std::uint32_t value, int lane) {
  return emulated_wave.ask(EmulatedWave::Question::shuffle, value, lane);
}

/// Of a launch. Lanes see each other's stores in the order in which they were made.
struct Grid {
  unsigned x = 1;
};
inline constexpr Grid gridDim;
AIRAMP_DEVICE void system_fence() {}
AIRAMP_DEVICE void store_load_fence() {}

AIRAMP_DEVICE std::uint32_t load_wire_word(const std::uint32_t* from) { return *from; }
AIRAMP_DEVICE std::uint64_t load_wire_pair(const std::uint32_t* from) {
  return from[0] | static_cast<std::uint64_t>(from[1]) << 32;
}
AIRAMP_DEVICE void store_wire_word(std::uint32_t* to, std::uint32_t word) { emulated_memory.store(to, word); }

template <bool>
AIRAMP_DEVICE Vector load_wire(const Vector* from) {
  return *from;
}

template <bool>
AIRAMP_DEVICE void store_wire(Vector* to, Vector v) {
  for (int i = 0; i < 4; ++i) store_wire_word(to->word + i, v.word[i]);
}

}  // namespace airamp::gpu::device
