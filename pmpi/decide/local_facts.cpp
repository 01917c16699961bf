// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/local_facts.hpp"

#include "pmpi/call/eligibility.hpp"
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

struct BufferLocation {
  Memory memory = Memory::host;
  gpu::Location gpu;  ///< of device memory, or that of the GPU that works on managed memory
};

BufferLocation locate(const CollectiveCall& collective, const CommunicatorResources& held) noexcept {
  if (!job().gpus) return {};
  const Buffers buffers = collective.buffers();
  const gpu::Location output = gpu::locate(buffers.output);
  const gpu::Location input = buffers.input == buffers.output ? output : gpu::locate(buffers.input);
  if (input.memory == gpu::Memory::host && output.memory == gpu::Memory::host) return {};
  const gpu::Location device = as_device(output);
  const bool same = as_device(input) == device && device.memory == gpu::Memory::device;
  if (!same || device.context == nullptr) return {.memory = Memory::mixed, .gpu = {}};
  if (!usable(held, device)) return {.memory = Memory::mixed, .gpu = {}};
  const bool migrates = input.memory == gpu::Memory::managed || output.memory == gpu::Memory::managed;
  return {.memory = migrates ? Memory::managed : Memory::device, .gpu = device};
}

}  // namespace

bool lies_on_host(const CollectiveCall& collective, const CommunicatorState& state) noexcept {
  return locate(collective, state.resources).memory == Memory::host;
}

void look_at_buffers(Call& call) noexcept {
  const BufferLocation location = locate(call.collective, call.state.resources);
  call.facts.memory = location.memory;
  call.gpu = location.gpu;
  call.on_own_device = location.memory == Memory::device;
}

void look_at_data(Call& call) {
  const Memory memory = call.facts.memory;
  const bool in_shared_memory = memory == Memory::host && may_use_shared_memory(call.collective.kind(), call.bytes);
  const Kind kind = call.collective.kind();
  const bool by_kernels = on_gpu(memory) && (is_for_gpus(kind) || (is_started(kind) && reduces(kind)));
  call.facts = call.collective.facts(
      {.no_compression = call.no_compression, .lossless = by_kernels || in_shared_memory, .on_gpu = by_kernels});
  call.facts.memory = memory;
  if (!decides_by_longest(call)) call.facts.bytes = call.bytes;
  if (on_gpu(memory)) heed_gpus(call.facts, call.collective);
  if (memory == Memory::host) heed_values(call.facts, call.collective);
}

}  // namespace airamp::pmpi
