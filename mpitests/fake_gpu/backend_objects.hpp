// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What the plugin's functions work on (gpu/backend.hpp).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/wire_format.hpp"
#include "gpu/backend.hpp"
#include "mpitests/fake_gpu/collective_run.hpp"
#include "mpitests/fake_gpu/ghost_run.hpp"
#include "mpitests/fake_gpu/launch_word.hpp"
#include "mpitests/fake_gpu/scratch.hpp"

namespace airamp::gpu {

struct Device {
  const void* context;
  unsigned long resets;  ///< of the GPU, when it was opened
  fake_gpu::Scratch scratch;
  std::array<std::atomic<bool>, every_wire_format.size()> loaded{};  ///< kernels that compress, by format
  std::atomic<int> open_queues{0};
  std::atomic<int> running{0};             ///< collectives
  std::atomic<bool> spoilt{false};         ///< one of them ended before it was done: its scratch is not erased
  std::atomic<int> ghosts_beside{0};       ///< launched since a collective began, while it ran
  std::map<CclId, std::byte*> named_ccls;  ///< what their names were drawn from
};

struct Ccl {
  Device* device;
  CclId id;
  std::byte* memory;
  int rank;
  int size;
};

struct Queue {
  Device* device;
  std::unique_ptr<fake_gpu::CollectiveRun> running;
  bool aborts = false;      ///< what is running ends when its Ccl is closed
  bool begun = false;       ///< what is running has found room
  bool called_off = false;  ///< it never will
  bool dismissed = false;
  bool left = false;                         ///< it has ended before it was done
  std::vector<fake_gpu::LaunchWord*> words;  ///< of a peer queue, by rank
  std::size_t rank = 0;
  std::uint64_t number = 0;  ///< of the launch
  std::chrono::steady_clock::time_point launched{};
  std::function<void()> codec;  ///< what an encoding, decoding or reduction still has to do
  int codec_steps = 0;          ///< of `progress`, before it is done
  bool waits_for_room = false;  ///< where the application's kernels take all
  bool unordered = false;       ///< the next copy follows nothing
  bool for_ghosts = false;
  fake_gpu::GhostRun ghost;
};

}  // namespace airamp::gpu
