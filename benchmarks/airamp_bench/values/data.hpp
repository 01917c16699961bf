// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "benchmarks/airamp_bench/values/kinds.hpp"

namespace airamp::benchmark {

/// The number at `index` of a rank's input, before it is rounded to the type. `bits`: random, unlike those of every
/// other rank and index.
float number_of(Data data, ElementType type, std::uint64_t bits, int rank, std::size_t index);

}  // namespace airamp::benchmark
