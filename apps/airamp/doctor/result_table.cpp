// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/result_table.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>

#include "apps/airamp/text_table.hpp"

namespace airamp::doctor {
namespace {

constexpr std::size_t widest_finding = 60;
constexpr std::size_t widest_advice = 50;

/// The text in lines of at most `width` bytes, broken between words; a longer word has a line of its own.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (line.size() + 1 + word.size() <= width) {
      line += ' ' + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

}  // namespace

std::string result_table(const std::vector<Result>& results) {
  std::vector<std::vector<std::string>> rows = {{"VERDICT", "CHECK", "FOUND", "WHAT TO DO"}};
  for (const Result& result : results) {
    const std::vector<std::string> found = lines_of(result.finding.found, widest_finding);
    const std::vector<std::string> advice = lines_of(result.finding.advice, widest_advice);
    for (std::size_t i = 0; i < std::max(found.size(), advice.size()); ++i) {
      rows.push_back({i == 0 ? std::string(to_string(result.finding.verdict)) : "",
                      i == 0 ? std::string(result.name) : "", i < found.size() ? found[i] : "",
                      i < advice.size() ? advice[i] : ""});
    }
  }
  return command_line::text_table(rows);
}

nlohmann::json result_json(const std::vector<Result>& results) {
  nlohmann::json json = nlohmann::json::array();
  for (const Result& result : results) {
    json.push_back({{"check", result.name},
                    {"verdict", to_string(result.finding.verdict)},
                    {"found", result.finding.found},
                    {"advice", result.finding.advice}});
  }
  return json;
}

}  // namespace airamp::doctor
