// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/gpu_order.hpp"

namespace airamp::pmpi {
namespace {

/// Of one of what may be held on a GPU; nullptr if there is none.
GpuDevice* device_of(const CommunicatorState& state) {
  if (state.peers != nullptr) return &state.peers->device();
  if (state.two_level != nullptr) return &state.two_level->peers().device();
  if (state.codec_queues != nullptr) return &state.codec_queues->device();
  if (state.ccl != nullptr) return &state.ccl->device();
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
  state.ccl.reset();
  state.codec_queues.reset();
  state.two_level.reset();
  state.peers.reset();
  state.two_level_tried = state.peers_tried = state.ccl_tried = false;
  state.why_no_ccl.clear();
  state.why_no_two_level.clear();
  state.why_no_peers.clear();
}

}  // namespace airamp::pmpi
