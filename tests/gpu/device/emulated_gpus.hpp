// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// GPUs that run kernels on the host: all of their waves take turns, some seldom, and what they store arrives when it
// will (emulated_memory.hpp). The same seed gives the same run. Nothing here is thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "tests/gpu/device/emulated_memory.hpp"
#include "tests/gpu/device/emulated_wave.hpp"

namespace airamp::gpu::device {

/// What a kernel is launched with.
struct EmulatedGrid {
  std::uint32_t blocks = 1;
  std::uint32_t threads = warp_lanes;     ///< of a block: a multiple of 32, at most 1024
  std::uint32_t wave_lanes = warp_lanes;  ///< or 64
  std::function<void()> kernel;
  std::vector<std::byte> arguments;
  /// Whether a block can begin; asked again and again until it can.
  std::function<bool(std::uint32_t block)> has_room = [](std::uint32_t) { return true; };
  EmulatedMemory::IsLocal is_local = [](const std::uint32_t*) { return true; };
  std::uint32_t number = 0;  ///< given as it is launched
};

class EmulatedBlock final : public EmulatedWaveOwner {
 public:
  EmulatedBlock(std::shared_ptr<const EmulatedGrid> grid, std::uint32_t index, std::uint32_t number,
                EmulatedMemory& memory, std::mt19937& random);

  /// Lets each of its waves go on by a step, or not; false if some lanes ask what they can only ask with others.
  bool step(std::mt19937& random);
  bool has_ended() const;
  const EmulatedGrid& grid() const { return *grid_; }
  std::byte* shared_memory() { return shared_; }
  EmulatedMemory::Writer writer(const EmulatedLane& lane) const {
    return {lane.number(), lane.number() / warp_lanes, number_, grid_->number};
  }

  void run(EmulatedLane&) override { grid_->kernel(); }
  void resume(EmulatedLane& lane) override;
  void met_in_warp(const EmulatedLane& one) override { memory_.meet_in_warp(writer(one).warp); }

 private:
  struct Wave {
    std::unique_ptr<EmulatedWave> wave;
    std::uint32_t laziness;  ///< it goes on once in about so many turns
  };

  std::shared_ptr<const EmulatedGrid> grid_;
  std::uint32_t index_, number_;
  EmulatedMemory& memory_;
  std::vector<Wave> waves_;
  alignas(16) std::byte shared_[64] = {};
};

class EmulatedGpus {
 public:
  EmulatedMemory memory;
  /// Called whenever a launch has told the host something.
  std::function<void()> host_looks = [] {};

  void launch(EmulatedGrid grid);

  /// Lets everybody go on for a while. False if nothing changes any more, or a wave does what no GPU can.
  bool go_on();
  /// Whether no launch is under way.
  bool are_idle() const { return blocks_.empty() && waiting_.empty(); }
  /// Something has changed that somebody may wait for.
  void note_change() { turns_in_vain_ = 0; }
  /// Forgets launches, whatever they do.
  void reset(std::uint32_t seed);

  struct Index {
    std::uint32_t x = 0;
  };
  // Of the lane that runs.
  EmulatedLane* lane = nullptr;
  EmulatedBlock* block = nullptr;
  Index thread_index, block_index, block_size, grid_size;

 private:
  void begin_blocks();

  std::vector<std::pair<std::shared_ptr<const EmulatedGrid>, std::uint32_t>> waiting_;  ///< blocks without room
  std::vector<std::unique_ptr<EmulatedBlock>> blocks_;
  std::uint32_t block_number_ = 0;
  std::uint32_t launch_number_ = 0;
  int turns_in_vain_ = 0;
  bool is_broken_ = false;
  std::mt19937 random_;
};

extern EmulatedGpus emulated_gpus;

}  // namespace airamp::gpu::device
