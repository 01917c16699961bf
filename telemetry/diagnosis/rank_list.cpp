// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/rank_list.hpp"

#include <cstddef>

namespace airamp::telemetry {

std::string rank_list(const std::vector<int>& ranks) {
  constexpr int max_runs = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  int runs = 0;
  for (std::size_t begin = 0; begin < ranks.size(); ++runs) {
    if (runs == max_runs) return text + " and " + std::to_string(ranks.size() - begin) + " more";
    std::size_t end = begin + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (runs > 0) text += ", ";
    text += std::to_string(ranks[begin]);
    if (end - begin > 1) text += (end - begin == 2 ? ", " : "-") + std::to_string(ranks[end - 1]);
    begin = end;
  }
  return text;
}

}  // namespace airamp::telemetry
