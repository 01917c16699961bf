// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::fake_gpu {

/// Host memory that kernels reach as well; nullptr if there is none. Thread-safe, as all functions here.
std::byte* allocate_pinned(std::size_t bytes);
void free_pinned(std::byte* memory);

/// Whether all of these bytes lie in one allocation of pinned memory.
bool is_pinned(const void* memory, std::size_t bytes);

}  // namespace airamp::fake_gpu
