// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace airamp {

/// Power-of-two size bucket of a byte count: 0 for no bytes, else 1 + floor(log2(bytes)).
constexpr unsigned size_bucket(std::uint64_t bytes) { return static_cast<unsigned>(std::bit_width(bytes)); }

/// Smallest byte count of a bucket.
constexpr std::uint64_t bucket_lower_bound(unsigned bucket) {
  return bucket == 0 ? 0 : std::uint64_t{1} << (bucket - 1);
}

/// Largest byte count of a bucket.
constexpr std::uint64_t bucket_upper_bound(unsigned bucket) {
  return bucket == 0 ? 0 : (std::uint64_t{1} << (bucket - 1)) * 2 - 1;
}

inline constexpr unsigned size_buckets = 65;

}  // namespace airamp
