// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace airamp::pmpi {

/// What the ranks of a communicator have made together, or why they have not.
template <class Pointer>
struct [[nodiscard]] Made {
  Pointer made;         ///< empty: not to be had, on any rank
  std::string why_not;  ///< then

  static Made not_made(std::string_view why) { return {.made = Pointer(), .why_not = std::string(why)}; }
};

}  // namespace airamp::pmpi
