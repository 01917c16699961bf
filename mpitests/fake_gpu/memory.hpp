// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace airamp::fake_gpu {

/// One allocation.
struct Allocation {
  std::uintptr_t begin;  ///< as the application sees it
  std::byte* host;       ///< the same memory, readable
  std::size_t bytes;
  Kind kind;
};

/// The allocation that `pointer` points into; false if there is none. Thread-safe.
bool find_allocation(std::uintptr_t pointer, Allocation& allocation);

}  // namespace airamp::fake_gpu
