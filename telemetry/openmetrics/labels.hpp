// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace airamp::telemetry {

/// The labels of one sample as text, without braces: `mpi_job="a",rank="0"`. Values are escaped as both formats ask;
/// names are taken as they are.
class Labels {
 public:
  Labels() = default;
  Labels(std::initializer_list<std::pair<std::string_view, std::string_view>> labels);

  Labels& add(std::string_view name, std::string_view value);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace airamp::telemetry
