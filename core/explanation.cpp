// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/explanation.hpp"

#include <array>
#include <cstdio>

namespace airamp {
namespace {

template <class... Numbers>
std::string formatted(const char* format, Numbers... numbers) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), format, numbers...);
  return text.data();
}

}  // namespace

std::string to_text(const Explanation& explanation) {
  switch (explanation.reason) {
    case Reason::fastest:
      return formatted("measured %.2fx native", explanation.measured);
    case Reason::too_slow:
      return formatted("only %.2fx native, less than %.2fx", explanation.measured, explanation.bound);
    case Reason::error_above_bound:
      return formatted("relative error %.2g above the bound %.2g", explanation.measured, explanation.bound);
    default:
      break;
  }
  std::string text(sentence_of(explanation.reason));
  if (explanation.detail.empty()) return text;
  if (!text.empty()) text += ": ";
  return text + explanation.detail;
}

}  // namespace airamp
