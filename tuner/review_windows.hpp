// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::tuner {

/// After how many calls a decision is measured again, or the ranks are asked again; equal on all ranks. Only tests,
/// whose decisions are to change often, have others than these.
struct ReviewWindows {
  std::uint64_t smallest = 64;
  std::uint64_t largest = 65536;
  std::uint64_t in_doubt = 8;      ///< at least, of a decision in doubt
  std::uint64_t first_pause = 16;  ///< behind a closed meeting: of native steps enough to see how long one takes
  double share = 0.01;             ///< of the calls' time, for measuring them
  double share_in_doubt = 0.5;     ///< likewise, while a decision is in doubt
};

}  // namespace airamp::tuner
