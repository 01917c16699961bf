// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace airamp::command_line {

/// The file that execvp() would start as `program`; empty if there is none.
std::string find_program(const std::string& program);

}  // namespace airamp::command_line
