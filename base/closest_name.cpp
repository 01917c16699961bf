// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/closest_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>

namespace airamp::base {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Levenshtein distance, one row of the matrix at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (same_letter(a[i], b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string closest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string closest;
  std::size_t best = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t limit = std::max<std::size_t>(1, candidate.size() / 3);
    // Lengths alone already bound the distance from below; this keeps absurdly long names cheap.
    if (name.size() > candidate.size() + limit) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= limit && (closest.empty() || distance < best)) {
      closest = candidate;
      best = distance;
    }
  }
  return closest;
}

}  // namespace airamp::base
