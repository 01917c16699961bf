// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/gpu_order.hpp"

namespace airamp::pmpi {
namespace {

/// Of one of what may be held on a GPU; nullptr if there is none.
GpuDevice* device_of(const CommunicatorState& state) {
  const CommunicatorResources& held = state.resources;
  if (held.peers.made != nullptr) return &held.peers.made->device();
  if (held.two_level.made != nullptr) return &held.two_level.made->peers().device();
  if (held.codec_queues != nullptr) return &held.codec_queues->device();
  if (held.ccl.made != nullptr) return &held.ccl.made->device();
  return nullptr;
}

}  // namespace

bool has_lost_gpu(const CommunicatorState& state) {
  const GpuDevice* device = device_of(state);
  return device != nullptr && !device->is_alive();
}

void forget_gpus(CommunicatorState& state) {
  for (auto& [key, signature] : state.signatures) {
    if (key.memory == Memory::host) continue;
    signature.give_back();
    signature.outdated = true;
  }
  state.resources.forget_gpus();
}

}  // namespace airamp::pmpi
