// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/buffer_location.hpp"

#include "pmpi/job/job.hpp"

namespace airamp::pmpi {
namespace {

/// The GPU whose kernels work on managed memory, as a location of its device memory.
gpu::Location as_device(gpu::Location location) {
  if (location.memory == gpu::Memory::managed && location.platform != gpu::Platform::none) {
    location.memory = gpu::Memory::device;
  }
  return location;
}

/// Whether what the communicator holds on this rank, if anything yet, works with buffers of `location`.
bool usable(const CommunicatorResources& held, const gpu::Location& location) {
  if (held.peers.made != nullptr && !(held.peers.made->location() == location)) return false;
  if (held.ccl.made != nullptr && !(held.ccl.made->location() == location)) return false;
  const TwoLevelGroup* two_level = held.two_level.made.get();
  if (two_level != nullptr && (!(two_level->location() == location) || two_level->broken())) return false;
  const CodecQueues* queues = held.codec_queues.get();
  return queues == nullptr || (queues->device().location() == location && !queues->failed());
}

}  // namespace

BufferLocation locate(const Buffers& buffers, const CommunicatorState& state) noexcept {
  if (!job().gpus) return {};
  const gpu::Location output = gpu::locate(buffers.output);
  const gpu::Location input = buffers.input == buffers.output ? output : gpu::locate(buffers.input);
  if (input.memory == gpu::Memory::host && output.memory == gpu::Memory::host) return {};
  const gpu::Location device = as_device(output);
  const bool same = as_device(input) == device && device.memory == gpu::Memory::device;
  if (!same || device.context == nullptr) return {.memory = Memory::mixed, .gpu = {}};
  if (!usable(state.resources, device)) return {.memory = Memory::mixed, .gpu = {}};
  const bool migrates = input.memory == gpu::Memory::managed || output.memory == gpu::Memory::managed;
  return {.memory = migrates ? Memory::managed : Memory::device, .gpu = device};
}

}  // namespace airamp::pmpi
