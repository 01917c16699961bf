// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::base {

/// Copies a few bytes, a multiple of 4, of any alignment, in the code of its caller: memcpy lies in cache lines of its
/// own, which after an application's own work come from afar. In words of 8 bytes: who reads a number back at once that
/// was written in two halves waits until both have left the processor's store buffer.
inline void copy_words(void* to, const void* from, std::size_t bytes) noexcept {
  auto* place = static_cast<std::byte*>(to);
  const auto* next = static_cast<const std::byte*>(from);
  for (; bytes >= 8; bytes -= 8, place += 8, next += 8) {
    __builtin_memcpy(place, next, 8);
    asm("" : "+r"(place));  // keeps the compiler from calling memcpy
  }
  if (bytes != 0) __builtin_memcpy(place, next, 4);
}

}  // namespace airamp::base
