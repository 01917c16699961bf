// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace airamp::report_page {

/// Text of the application's as text of HTML and of the SVG in it, in attributes too: markup is replaced, and so are
/// characters that XML forbids, controls, and what changes the direction of the text around it. `text` is UTF-8.
std::string escape(std::string_view text);

/// The text cut to at most `most` code points, the last an ellipsis if anything is missing. Not escaped.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace airamp::report_page
