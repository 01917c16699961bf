// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The only header of device code that knows which compiler builds it. Each platform gives the qualifiers and, in
// namespace airamp::gpu::device, the warp operations, memory operations and conversions that the rest is written in.
// A warp is 32 lanes everywhere.
#pragma once

#if defined(__CUDACC__)
#include "gpu/cuda/device_platform.hpp"
#elif defined(__HIP__)
#include "gpu/hip/device_platform.hpp"
#elif defined(AIRAMP_DEVICE_PLATFORM)  // tests without a GPU
#include AIRAMP_DEVICE_PLATFORM
#else
#error "device code is built by nvcc or hipcc"
#endif
