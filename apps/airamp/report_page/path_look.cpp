// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/path_look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "apps/airamp/report_page/escape.hpp"

namespace airamp::report_page {
namespace {

/// Names of paths are not broken into lines; ours are shorter.
constexpr std::size_t max_letters = 28;

}  // namespace

std::string_view path_look(std::string_view path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> looks = {{
      {"native", "native"},
      {"mpi-two-shot", "path1"},
      {"peer-two-shot", "path2"},
      {"two-level", "path3"},
      {"ccl", "path4"},
      {"peer-one-shot", "path5"},
      {"peer-compressed", "path6"},
      {"two-level-compressed", "path7"},
  }};
  const auto* const found = std::ranges::find(looks, path, &std::pair<std::string_view, std::string_view>::first);
  return found == looks.end() ? "path8" : found->second;
}

std::string path_name(std::string_view path) {
  return fmt::format("<span class=\"path\"><span class=\"swatch {}\"></span>{}</span>", path_look(path),
                     path.empty() ? "unknown" : escape(shortened(path, max_letters)));
}

}  // namespace airamp::report_page
