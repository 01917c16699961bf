// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/quoted_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/code_point.hpp"

namespace airamp::base {
namespace {

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

}  // namespace airamp::base
