// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/location.hpp"

namespace airamp::gpu::hip {

/// Where `pointer` lives, as far as the HIP runtime knows; host memory where the application has loaded no runtime or
/// has not initialised it. `load_count`: loaded_library_count(). Thread-safe.
Location locate(const void* pointer, std::uint64_t load_count) noexcept;

/// Whether this host has a GPU that the kernel's driver for HIP has taken over.
bool host_has_device() noexcept;

}  // namespace airamp::gpu::hip
