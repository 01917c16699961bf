// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace airamp::probe {

/// The processors that this process may use, by their numbers.
std::vector<int> own_processors();

/// Has the calling thread run on this processor alone from now on; false if that is not allowed.
bool run_on(int processor);

}  // namespace airamp::probe
