// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace airamp::doctor {

/// "1 rank", "8 ranks".
inline std::string counted(std::size_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + ' ' + (number == 1 ? one : many);
}

}  // namespace airamp::doctor
