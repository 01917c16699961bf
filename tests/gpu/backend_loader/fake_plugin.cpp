// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A plugin that can do nothing, of the version and the name that the build gives it.
#include "gpu/backend.hpp"

extern "C" __attribute__((visibility("default"))) const airamp::gpu::Backend* airamp_gpu_backend() {
  static constexpr airamp::gpu::Backend table{.version = FAKE_VERSION, .name = FAKE_NAME};
  return &table;
}
