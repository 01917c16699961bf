// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace airamp::command_line {

// Texts of any length through `srun --label`, which puts the number of the task before each line, mixes the lines of
// all tasks, and breaks those of more than a kibibyte. A text goes as several lines, all but its last one marked.

/// Writes a text, which holds no line breaks.
void write_pieces(std::ostream& out, std::string_view text);

/// The texts of all tasks, in the order in which they end. What is no piece of a text is left out, and so is a text
/// whose end is missing. May throw std::bad_alloc.
std::vector<std::string> labelled_texts(std::string_view output);

}  // namespace airamp::command_line
