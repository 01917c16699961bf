// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/buffer_location.hpp"

#include "pmpi/job.hpp"

namespace airamp::pmpi {
namespace {

/// Whether what the communicator holds on this rank, if anything yet, works with buffers of `location`.
bool usable(const CommunicatorState& state, const gpu::Location& location) {
  if (state.peers != nullptr && !(state.peers->location() == location)) return false;
  if (state.ccl != nullptr && !(state.ccl->location() == location)) return false;
  const TwoLevelGroup* two_level = state.two_level.get();
  if (two_level != nullptr && (!(two_level->location() == location) || two_level->broken())) return false;
  const CodecQueues* queues = state.codec_queues.get();
  return queues == nullptr || (queues->device().location() == location && !queues->failed());
}

}  // namespace

BufferLocation locate(const Buffers& buffers, const CommunicatorState& state) noexcept {
  if (!job().gpus) return {};
  const gpu::Location output = gpu::locate(buffers.output);
  const gpu::Location input = buffers.input == buffers.output ? output : gpu::locate(buffers.input);
  if (input.memory == gpu::Memory::host && output.memory == gpu::Memory::host) return {};
  const bool same = input == output && output.memory == gpu::Memory::device;
  if (!same || output.context == nullptr) return {.memory = Memory::mixed, .gpu = {}};
  if (!usable(state, output)) return {.memory = Memory::mixed, .gpu = {}};
  return {.memory = Memory::device, .gpu = output};
}

}  // namespace airamp::pmpi
