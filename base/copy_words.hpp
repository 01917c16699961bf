// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::base {

/// Copies a few bytes, a multiple of 4, of any alignment, in the code of its caller: memcpy lies in cache lines of its
/// own, which after an application's own work come from afar.
inline void copy_words(void* to, const void* from, std::size_t bytes) noexcept {
  auto* place = static_cast<std::byte*>(to);
  const auto* next = static_cast<const std::byte*>(from);
  for (; bytes != 0; bytes -= 4, place += 4, next += 4) {
    __builtin_memcpy(place, next, 4);
    asm("" : "+r"(place));  // keeps the compiler from calling memcpy
  }
}

}  // namespace airamp::base
