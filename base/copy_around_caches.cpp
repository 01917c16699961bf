// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/copy_around_caches.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/cache_line.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace airamp::base {
namespace {

#if defined(__SSE2__)

/// Whole cache lines; `to` is aligned to them.
void stream_lines(std::byte* to, const std::byte* from, std::size_t lines) noexcept {
  constexpr std::size_t words = cache_line / sizeof(__m128i);
  auto* place = reinterpret_cast<__m128i*>(to);
  const auto* next = reinterpret_cast<const __m128i*>(from);
  for (; lines != 0; --lines, place += words, next += words) {
    const __m128i first = _mm_loadu_si128(next);
    const __m128i second = _mm_loadu_si128(next + 1);
    const __m128i third = _mm_loadu_si128(next + 2);
    const __m128i fourth = _mm_loadu_si128(next + 3);
    _mm_stream_si128(place, first);
    _mm_stream_si128(place + 1, second);
    _mm_stream_si128(place + 2, third);
    _mm_stream_si128(place + 3, fourth);
  }
  _mm_sfence();
}

#endif

}  // namespace

void copy_around_caches(void* to, const void* from, std::size_t bytes) noexcept {
#if defined(__SSE2__)
  auto* place = static_cast<std::byte*>(to);
  const auto* next = static_cast<const std::byte*>(from);
  const std::size_t before = (cache_line - reinterpret_cast<std::uintptr_t>(to) % cache_line) % cache_line;
  const std::size_t head = std::min(bytes, before);
  const std::size_t whole = (bytes - head) / cache_line * cache_line;
  const std::size_t tail = bytes - head - whole;
  if (head > 0) std::memcpy(place, next, head);
  stream_lines(place + head, next + head, whole / cache_line);
  if (tail > 0) std::memcpy(place + head + whole, next + head + whole, tail);
#else
  if (bytes > 0) std::memcpy(to, from, bytes);
#endif
}

}  // namespace airamp::base
