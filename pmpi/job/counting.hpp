// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

/// Counts one call of `function` with so many bytes. As thread-safe as the application has told MPI that it must be.
inline void count_call(Function function, std::uint64_t bytes) noexcept {
  Job& j = job();
  j.counters.count(static_cast<std::size_t>(function), bytes, j.several_threads.load(std::memory_order_relaxed));
}

}  // namespace airamp::pmpi
