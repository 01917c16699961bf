// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/all_hosts/labelled_texts.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace airamp::command_line {
namespace {

constexpr std::size_t longest_piece = 900;  // bytes
constexpr char more = '+';
constexpr char last = '.';
constexpr std::string_view after_label = ": ";

}  // namespace

void write_pieces(std::ostream& out, std::string_view text) {
  do {
    const std::string_view piece = text.substr(0, longest_piece);
    text.remove_prefix(piece.size());
    out << (text.empty() ? last : more) << piece << '\n';
  } while (!text.empty());
}

std::vector<std::string> labelled_texts(std::string_view output) {
  std::vector<std::string> texts;
  std::map<std::string, std::string, std::less<>> begun;  // by label
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
    const std::size_t colon = line.find(after_label);
    if (colon == std::string_view::npos) continue;
    const std::string_view piece = line.substr(colon + after_label.size());
    if (piece.empty() || (piece.front() != more && piece.front() != last)) continue;
    std::string& text = begun[std::string(line.substr(0, colon))];
    text += piece.substr(1);
    if (piece.front() == last) texts.push_back(std::exchange(text, {}));
  }
  return texts;
}

}  // namespace airamp::command_line
