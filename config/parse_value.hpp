// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace airamp::config {

// Each function reads the whole of `text` whatever the locale, and returns what is wrong with it; empty if nothing is.
// `value` is written only then. No function trims white space.

/// true/false, 1/0, yes/no, on/off; upper or lower case.
std::string parse_boolean(std::string_view text, bool& value);

/// A decimal number of bytes, optionally followed by K, M or G (2^10, 2^20, 2^30; upper or lower case), up to
/// `maximum`.
std::string parse_bytes(std::string_view text, std::uint64_t maximum, std::uint64_t& value);

/// A decimal whole number from `minimum` to `maximum`, without leading zeros.
std::string parse_integer(std::string_view text, int minimum, int maximum, int& value);

/// A finite decimal number from `minimum` to `maximum`, e.g. "1.05" or "5e-2".
std::string parse_number(std::string_view text, double minimum, double maximum, double& value);

/// The shortest text that parse_bytes reads back to `value`, e.g. "1536K".
std::string bytes_text(std::uint64_t value);

/// The shortest text that parse_number reads back to exactly `value`, e.g. "1.05".
std::string number_text(double value);

}  // namespace airamp::config
