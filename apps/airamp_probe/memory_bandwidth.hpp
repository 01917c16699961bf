// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "apps/airamp_probe/answers.hpp"

namespace airamp::probe {

/// Copies memory on one of this process's processors, and then on all of them at once, each within memory of its own.
/// Takes `most_bytes` in all, but at most 128 MiB for each processor, and a few seconds. Nothing is measured where
/// there are less than 8 MiB for each: those would be copied within caches.
MemoryBandwidth measure_memory_bandwidth(std::uint64_t most_bytes);

}  // namespace airamp::probe
