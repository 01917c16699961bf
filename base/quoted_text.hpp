// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace airamp::base {

/// Whether `text` is valid UTF-8 without control characters: all that a configuration file can carry.
bool is_printable_text(std::string_view text);

/// `text`, which must satisfy is_printable_text, as a double-quoted YAML scalar of ASCII characters on one line.
std::string yaml_quoted(std::string_view text);

/// `text` in single quotes for an error message: cut after 60 bytes, with '?' for bytes that are not printable ASCII.
std::string message_quoted(std::string_view text);

}  // namespace airamp::base
