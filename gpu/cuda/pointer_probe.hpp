// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/location.hpp"

namespace airamp::gpu::cuda {

/// Where `pointer` lives, as far as the CUDA driver knows; host memory where the application has loaded no driver or
/// has not initialised it. `load_count`: loaded_library_count(). Thread-safe.
Location locate(const void* pointer, std::uint64_t load_count) noexcept;

/// Whether the driver of a CUDA device is installed on this host.
bool host_has_device() noexcept;

}  // namespace airamp::gpu::cuda
