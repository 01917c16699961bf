// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace airamp::report_page {

/// The class of the page's style that has a path's colour: the same in every report.
std::string_view path_look(std::string_view path);

/// The path's name in HTML, with a dot of its colour.
std::string path_name(std::string_view path);

}  // namespace airamp::report_page
