// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace airamp::fake_gpu {

/// Where the host finds what a kernel finds there.
template <class Pointer>
Pointer on_host(Pointer pointer) {
  return static_cast<Pointer>(fake_gpu_host_address(pointer));
}

}  // namespace airamp::fake_gpu
