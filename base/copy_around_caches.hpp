// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::base {

/// As memcpy, of what is too long to stay in the caches: the processor does not read what it overwrites. What was
/// stored is visible to other threads in the order of the program.
void copy_around_caches(void* to, const void* from, std::size_t bytes) noexcept;

}  // namespace airamp::base
