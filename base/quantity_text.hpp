// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace airamp::base {

// Quantities for people, in ASCII. May throw std::bad_alloc.

/// "0 s", "850 ns", "12.3 ms", "4.5 s", "2 h 03 min"; "-" for NaN, "longer" for infinity.
std::string duration(double seconds);

/// "0 B", "1.5 KiB", "16 MiB".
std::string byte_size(std::uint64_t bytes);

/// "12.3 %" of a share from 0 to 1; "-" for NaN. Never "0.0 %" or "100.0 %" of what is not exactly that.
std::string percent(double share);

/// "1 call", "12345 calls": `plural` unless it is one.
std::string counted(std::uint64_t count, const char* singular, const char* plural);

}  // namespace airamp::base
