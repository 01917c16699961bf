// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace airamp::command_line {

/// The file of AddressSanitizer's runtime that `program` is linked with: GCC's, or Clang's for -shared-libasan. It ends
/// a program whose libraries are loaded in another order than with itself at first. Empty where there is none.
std::string address_sanitizer_of(const std::string& program);

}  // namespace airamp::command_line
