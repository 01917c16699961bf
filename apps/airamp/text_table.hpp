// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace airamp::command_line {

/// Rows as lines of aligned columns; the first row is the heading. Columns whose every cell below the heading is a
/// number, empty or a dash for none are aligned to the right. Widths count characters of UTF-8.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace airamp::command_line
