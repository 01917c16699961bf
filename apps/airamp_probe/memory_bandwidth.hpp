// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/airamp_probe/answers.hpp"

namespace airamp::probe {

/// Copies memory on one of this process's processors, and then on all of them at once, each within memory of its own.
/// Takes 2 GiB or 128 MiB for each processor, whichever is less, and a few seconds.
MemoryBandwidth measure_memory_bandwidth();

}  // namespace airamp::probe
