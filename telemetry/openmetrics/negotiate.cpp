// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <optional>
#include <utility>

#include "telemetry/openmetrics/exposition.hpp"

namespace airamp::telemetry {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Cuts off and returns what stands before `separator`, which does not count inside a quoted string.
std::string_view next_part(std::string_view& rest, char separator) {
  bool quoted = false;
  std::size_t end = 0;
  for (; end < rest.size(); ++end) {
    if (rest[end] == '"') quoted = !quoted;
    if (quoted && rest[end] == '\\') ++end;
    if (!quoted && rest[end] == separator) break;
  }
  const std::string_view part = rest.substr(0, end);
  rest = end < rest.size() ? rest.substr(end + 1) : std::string_view{};
  return trimmed(part);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i]))) return false;
  }
  return true;
}

std::string_view unquoted(std::string_view value) {
  const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
  return quoted ? value.substr(1, value.size() - 2) : value;
}

/// A weight of RFC 9110, section 12.4.2, in thousandths; nothing if it is not one.
std::optional<int> weight(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return std::nullopt;
  if (text.size() > 1 && text[1] != '.') return std::nullopt;
  int thousandths = (text[0] - '0') * 1000;
  int place = 100;
  for (const char digit : text.substr(text.size() > 1 ? 2 : 1)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    thousandths += (digit - '0') * place;
    place /= 10;
  }
  return thousandths <= 1000 ? std::optional(thousandths) : std::nullopt;
}

/// One media range of an Accept header.
struct MediaRange {
  std::string_view type;
  std::string_view version;  ///< empty: any
  int thousandths = 1000;    ///< quality
};

MediaRange parse_media_range(std::string_view text) {
  MediaRange range{.type = next_part(text, ';')};
  while (!text.empty()) {
    std::string_view value = next_part(text, ';');
    const std::string_view name = next_part(value, '=');
    if (equal_ignoring_case(name, "version")) range.version = unquoted(trimmed(value));
    // A weight that is none makes the whole range worthless rather than first choice.
    if (equal_ignoring_case(name, "q")) range.thousandths = weight(trimmed(value)).value_or(0);
  }
  return range;
}

bool is_openmetrics(const MediaRange& range) {
  return equal_ignoring_case(range.type, "application/openmetrics-text") &&
         (range.version.empty() || range.version == "1.0.0");
}

/// How exactly a range names the text format: 0 not at all, 1 and 2 by wildcards, 3 by name.
int text_specificity(const MediaRange& range) {
  if (range.type == "*/*") return 1;
  if (equal_ignoring_case(range.type, "text/*")) return 2;
  const bool version = range.version.empty() || range.version == "0.0.4";
  return version && equal_ignoring_case(range.type, "text/plain") ? 3 : 0;
}

}  // namespace

Exposition negotiate(std::string_view accept) noexcept {
  int openmetrics = 0;
  int text = 0;
  int specificity = 0;
  while (!accept.empty()) {
    const MediaRange range = parse_media_range(next_part(accept, ','));
    // Wildcards do not ask for OpenMetrics: who does not know the name may not know the format.
    if (is_openmetrics(range)) openmetrics = range.thousandths > openmetrics ? range.thousandths : openmetrics;
    const int exact = text_specificity(range);
    if (exact > specificity || (exact == specificity && exact > 0 && range.thousandths > text)) {
      text = range.thousandths;
      specificity = exact;
    }
  }
  return openmetrics > 0 && openmetrics >= text ? Exposition::openmetrics : Exposition::prometheus_text;
}

}  // namespace airamp::telemetry
