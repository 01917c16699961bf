// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/text_table.hpp"

#include <algorithm>
#include <cstddef>

namespace airamp::command_line {
namespace {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool numeric(const std::string& text) { return text.empty() || text == "-" || (text[0] >= '0' && text[0] <= '9'); }

}  // namespace

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  std::vector<bool> to_the_right;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    widths.resize(std::max(widths.size(), rows[r].size()));
    to_the_right.resize(widths.size(), true);
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      widths[c] = std::max(widths[c], width(rows[r][c]));
      if (r > 0 && !numeric(rows[r][c])) to_the_right[c] = false;
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string gap(widths[c] - width(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (to_the_right[c] ? gap + row[c] : row[c] + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace airamp::command_line
