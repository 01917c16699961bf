// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace airamp::base {

/// Takes one UTF-8 encoded code point off the front of `text`, which must not be empty. Nothing, and `text` stays as it
/// is, if no well-formed one (Unicode 15, table 3-7) is there.
inline std::optional<std::uint32_t> take_code_point(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  std::size_t length = 1;
  std::uint32_t code_point = first;
  std::uint32_t smallest = 0;
  if (first >= 0x80) {
    if ((first & 0xe0U) == 0xc0) {
      length = 2, smallest = 0x80, code_point = first & 0x1fU;
    } else if ((first & 0xf0U) == 0xe0) {
      length = 3, smallest = 0x800, code_point = first & 0x0fU;
    } else if ((first & 0xf8U) == 0xf0) {
      length = 4, smallest = 0x10000, code_point = first & 0x07U;
    } else {
      return std::nullopt;
    }
  }
  if (text.size() < length) return std::nullopt;
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80) return std::nullopt;
    code_point = code_point << 6U | (next & 0x3fU);
  }
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (code_point < smallest || code_point > 0x10ffff || surrogate) return std::nullopt;
  text.remove_prefix(length);
  return code_point;
}

/// Whether it is one of C0, DEL or C1.
constexpr bool is_control(std::uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
}

}  // namespace airamp::base
