// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace airamp::command_line {

/// The numbers of a list as the kernel writes them, "0-3,8"; up to what is no such list. At most 65536 of a range.
std::set<int> parse_number_list(std::string_view text);

/// The same the other way round: "0-3,8"; empty for none.
std::string number_list(const std::set<int>& numbers);

}  // namespace airamp::command_line
