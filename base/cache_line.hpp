// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::base {

/// Bytes that processors exchange at once.
inline constexpr std::size_t cache_line = 64;

}  // namespace airamp::base
