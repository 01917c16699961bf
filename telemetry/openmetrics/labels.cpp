// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/labels.hpp"

namespace airamp::telemetry {

Labels::Labels(std::initializer_list<std::pair<std::string_view, std::string_view>> labels) {
  for (const auto& [name, value] : labels) add(name, value);
}

Labels& Labels::add(std::string_view name, std::string_view value) {
  if (!text_.empty()) text_ += ',';
  text_.append(name).append("=\"");
  for (const char c : value) {
    if (c == '\n') {
      text_ += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
  return *this;
}

}  // namespace airamp::telemetry
