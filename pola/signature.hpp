// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/size_bucket.hpp"

namespace airamp::pola {

/// What is equal on all ranks about a collective call; opaque.
using Signature = std::uint64_t;

/// An invertible mixing of 64 bits, the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
constexpr std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

/// The signature of a call: which function, the size up to a factor of two, and `arguments`, an opaque value for
/// whatever else is equal on all ranks (element type, operation class). `bytes` must be equal on all ranks, too.
constexpr Signature signature_of(std::uint32_t function, std::uint64_t bytes, std::uint64_t arguments) {
  return mix(mix(arguments + 0x9e3779b97f4a7c15U) ^ (std::uint64_t{function} << 8 | size_bucket(bytes)));
}

}  // namespace airamp::pola
