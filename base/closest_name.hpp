// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace airamp::base {

/// The candidate that a misspelt `name` most likely means: the one with the smallest edit distance, upper and lower
/// case being the same, if at most a third of the letters differ; empty if none is that close.
std::string closest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace airamp::base
