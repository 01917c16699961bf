// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/escape.hpp"

#include "apps/html/html.hpp"

namespace airamp::report_page {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Bytes of the code point that starts at `from`; `text` is not empty there.
std::size_t length_of(std::string_view text, std::size_t from) {
  std::size_t end = from + 1;
  while (end < text.size() && continues(text[end])) ++end;
  return end - from;
}

/// Whether a code point may be shown; those outside of the Basic Multilingual Plane all may.
bool harmless(std::string_view c) {
  const auto bits = [&](std::size_t i, unsigned mask) { return static_cast<unsigned char>(c[i]) & mask; };
  unsigned point = 0;
  switch (c.size()) {
    case 1:
      point = bits(0, 0x7FU);
      return (point >= 0x20 && point != 0x7F) || point == '\n' || point == '\t';
    case 2:
      point = bits(0, 0x1FU) << 6U | bits(1, 0x3FU);
      break;
    case 3:
      point = bits(0, 0x0FU) << 12U | bits(1, 0x3FU) << 6U | bits(2, 0x3FU);
      break;
    default:
      return true;
  }
  const bool control = point < 0xA0;
  const bool breaks_lines_or_turns_text = (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  const bool mark_of_direction = point == 0x200E || point == 0x200F || point == 0x061C;
  return !control && !breaks_lines_or_turns_text && !mark_of_direction && point != 0xFFFE && point != 0xFFFF;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string harmless_text;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view c = text.substr(i, length_of(text, i));
    harmless_text += harmless(c) ? c : "\uFFFD";
    i += c.size();
  }
  return html(harmless_text);
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t points = 0;
  std::size_t cut = 0;  // where the last code point begins that fits
  for (std::size_t i = 0; i < text.size(); i += length_of(text, i)) {
    if (++points == most) cut = i;
  }
  return points <= most ? std::string(text) : std::string(text.substr(0, cut)) + "…";
}

}  // namespace airamp::report_page
