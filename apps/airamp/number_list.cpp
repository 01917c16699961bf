// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/number_list.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

namespace airamp::command_line {

std::set<int> parse_number_list(std::string_view text) {
  std::set<int> numbers;
  while (!text.empty()) {
    int first = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), first);
    if (error != std::errc()) break;
    int last = first;
    const char* const stop = text.data() + text.size();
    if (end != stop && *end == '-') end = std::from_chars(end + 1, stop, last).ptr;
    // Wider than int: a range may end with the largest one.
    const std::int64_t beyond = std::min(std::int64_t{last}, std::int64_t{first} + 65535) + 1;
    for (std::int64_t number = first; number < beyond; ++number) numbers.insert(static_cast<int>(number));
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty()) text.remove_prefix(1);
  }
  return numbers;
}

std::string number_list(const std::set<int>& numbers) {
  std::string text;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first;
    for (auto next = std::next(last); next != numbers.end() && *next == *last + 1; ++next) last = next;
    text += (text.empty() ? "" : ",") + std::to_string(*first);
    if (last != first) text += '-' + std::to_string(*last);
    first = std::next(last);
  }
  return text;
}

}  // namespace airamp::command_line
