// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The functions of a GPU's runtime library under names of our own, in namespace airamp::gpu::platform: each plugin is
// these sources built with its platform's header.
#pragma once

#if defined(AIRAMP_PLATFORM_HIP)
#include "gpu/hip/platform_api.hpp"
#elif defined(AIRAMP_RUNTIME_PLATFORM)  // tests without a GPU
#include AIRAMP_RUNTIME_PLATFORM
#else
#include "gpu/cuda/platform_api.hpp"
#endif
