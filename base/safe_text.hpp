// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace airamp::base {

/// `bytes` up to the first NUL as valid UTF-8: whatever is not well-formed (Unicode 15, table 3-7) and every control
/// character becomes U+FFFD.
std::string safe_text(std::string_view bytes);

}  // namespace airamp::base
