// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/safe_text.hpp"

#include <cstdint>
#include <optional>

#include "base/code_point.hpp"

namespace airamp::base {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

}  // namespace

std::string safe_text(std::string_view bytes) {
  bytes = bytes.substr(0, bytes.find('\0'));
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::string_view before = bytes;
    const std::optional<std::uint32_t> code_point = take_code_point(bytes);
    if (!code_point) bytes.remove_prefix(1);
    const bool safe = code_point && !is_control(*code_point);
    text += safe ? before.substr(0, before.size() - bytes.size()) : replacement;
  }
  return text;
}

}  // namespace airamp::base
