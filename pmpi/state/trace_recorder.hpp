// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "pmpi/mpi/functions.hpp"

namespace airamp::pmpi {

struct CommunicatorState;

/// Starts this rank's trace in `folder`, which is made if it is missing. Trouble is one warning, and no trace. Whether
/// there is one.
bool start_trace(const std::string& folder);

/// Writes one collective of the application into the trace. Times are nanoseconds of the steady clock. Thread-safe.
void record_trace(CommunicatorState& state, Function function, std::uint64_t bytes, std::uint64_t arguments,
                  std::int64_t entered, std::int64_t left) noexcept;

/// Ends the trace.
void stop_trace() noexcept;

}  // namespace airamp::pmpi
