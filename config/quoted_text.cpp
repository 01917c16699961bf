// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/quoted_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace airamp::config {
namespace {

// Takes one UTF-8 encoded code point off the front of `text`; nothing if there is no valid one.
std::optional<std::uint32_t> take_code_point(std::string_view& text) {
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

bool is_control(std::uint32_t code_point) { return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0); }

void append_hexadecimal(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[value >> shift & 0xfU];
}

}  // namespace

bool is_printable_text(std::string_view text) {
  while (!text.empty()) {
    const std::optional<std::uint32_t> code_point = take_code_point(text);
    if (!code_point || is_control(*code_point)) return false;
  }
  return true;
}

std::string yaml_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::optional<std::uint32_t> code_point = take_code_point(text);
    if (!code_point) break;
    if (*code_point == '"' || *code_point == '\\') {
      out += '\\';
      out += static_cast<char>(*code_point);
    } else if (*code_point < 0x7f) {
      out += static_cast<char>(*code_point);
    } else if (*code_point <= 0xffff) {
      out += "\\u";
      append_hexadecimal(out, *code_point, 4);
    } else {
      out += "\\U";
      append_hexadecimal(out, *code_point, 8);
    }
  }
  return out + '"';
}

std::string message_quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out = "'";
  for (const char c : text.substr(0, longest)) out += c >= 0x20 && c < 0x7f ? c : '?';
  if (text.size() > longest) out += "...";
  return out + "'";
}

}  // namespace airamp::config
