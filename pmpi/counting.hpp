// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/job.hpp"

namespace airamp::pmpi {

/// Counts one call of `function` with so many bytes. Thread-safe.
inline void count_call(Function function, std::uint64_t bytes) noexcept {
  job().counters.count(static_cast<std::size_t>(function), bytes);
}

}  // namespace airamp::pmpi
