// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/parse_value.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <system_error>
#include <utility>

#include "base/quoted_text.hpp"

namespace airamp::config {
namespace {

constexpr std::array<std::pair<std::string_view, bool>, 8> boolean_texts = {{{"true", true},
                                                                             {"false", false},
                                                                             {"1", true},
                                                                             {"0", false},
                                                                             {"yes", true},
                                                                             {"no", false},
                                                                             {"on", true},
                                                                             {"off", false}}};

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A leading zero is refused because YAML 1.1 would take it for octal and a reader for decimal.
bool is_plain_decimal(std::string_view digits) {
  return !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit) &&
         (digits.size() == 1 || digits.front() != '0');
}

// Power of two that a suffix stands for.
std::optional<unsigned> suffix_shift(char suffix) {
  switch (lower(suffix)) {
    case 'k':
      return 10;
    case 'm':
      return 20;
    case 'g':
      return 30;
    default:
      return std::nullopt;
  }
}

std::string out_of_range(std::string_view text) { return base::message_quoted(text) + " is out of range"; }

template <typename Number>
std::errc from_decimal(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end != text.data() + text.size()) return std::errc::invalid_argument;
  return error;
}

}  // namespace

std::string parse_boolean(std::string_view text, bool& value) {
  for (const auto& [name, meaning] : boolean_texts) {
    if (!equal_ignoring_case(text, name)) continue;
    value = meaning;
    return {};
  }
  return base::message_quoted(text) + " is neither true nor false";
}

std::string parse_bytes(std::string_view text, std::uint64_t maximum, std::uint64_t& value) {
  std::string_view digits = text;
  unsigned shift = 0;
  if (!digits.empty()) {
    if (const std::optional<unsigned> found = suffix_shift(digits.back())) {
      shift = *found;
      digits.remove_suffix(1);
    }
  }
  const bool negative = digits.size() > 1 && digits.front() == '-' && is_plain_decimal(digits.substr(1));
  if (negative) return base::message_quoted(text) + " is negative";
  if (!is_plain_decimal(digits)) return base::message_quoted(text) + " is not a number of bytes";
  std::uint64_t parsed = 0;
  if (from_decimal(digits, parsed) != std::errc{} || parsed > maximum >> shift) return out_of_range(text);
  value = parsed << shift;
  return {};
}

std::string parse_integer(std::string_view text, int minimum, int maximum, int& value) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (!is_plain_decimal(digits)) return base::message_quoted(text) + " is not a whole number";
  int parsed = 0;
  if (from_decimal(text, parsed) != std::errc{} || parsed < minimum || parsed > maximum) return out_of_range(text);
  value = parsed;
  return {};
}

std::string parse_number(std::string_view text, double minimum, double maximum, double& value) {
  double parsed = 0;
  const std::errc error = from_decimal(text, parsed);
  if (error == std::errc::result_out_of_range) return out_of_range(text);
  if (error != std::errc{} || std::isnan(parsed)) return base::message_quoted(text) + " is not a number";
  if (!(parsed >= minimum && parsed <= maximum)) return out_of_range(text);
  value = parsed + 0.0;  // turns -0 into 0
  return {};
}

std::string bytes_text(std::uint64_t value) {
  for (const char suffix : {'G', 'M', 'K'}) {
    const unsigned shift = *suffix_shift(suffix);
    if (value != 0 && value % (std::uint64_t{1} << shift) == 0) return std::to_string(value >> shift) + suffix;
  }
  return std::to_string(value);
}

std::string number_text(double value) {
  std::array<char, 32> buffer{};  // the shortest form of a double has at most 24 characters
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

}  // namespace airamp::config
