// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace airamp::report_page {

/// How quantities are written, as text and as HTML alike; the rest is as on airampd's status page
/// (apps/html/html.hpp). A dash stands for NaN.

/// A part of a whole, from 0 to 1; 0 if there is no whole or either is not finite.
double share(double part, double whole);

/// "12.3 %" of a share; never "0.0 %" or "100.0 %" of what is not exactly that.
std::string percent(double share);

/// A time that people know: "3 min 06 s"; short ones as html_seconds has them.
std::string duration(double seconds);

/// "1.82×"
std::string speedup_text(double speedup);

/// "0.038", "1.2×10⁻⁵", "0"
std::string error_text(double error);

/// A power-of-two bucket of bytes by its lower bound: "1–2 MiB", "512 KiB–1 MiB", "0 B".
std::string size_range(std::uint64_t lower_bound);

/// "1 call", "12 345 calls"
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

/// The text with spaces that do not break.
std::string unbroken(std::string text);

/// The unit that suits the times of an axis.
struct TimeUnit {
  double seconds;    ///< of one unit
  const char* name;  ///< "µs", "ms", "s", "min" or "h"
};
TimeUnit time_unit(double largest_seconds);

}  // namespace airamp::report_page
