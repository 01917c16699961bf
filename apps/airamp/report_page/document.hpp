// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace airamp::report_page {

/// An HTML document that needs nothing else. `title` is plain text, `content` HTML.
std::string document(const std::string& title, const std::string& content);

}  // namespace airamp::report_page
