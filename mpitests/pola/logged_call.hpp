// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace airamp::traced {

/// What the program knows of one of its calls, as a line of rank-N.calls.
struct LoggedCall {
  std::string communicator;  ///< a name, the same on all its ranks
  int size = 0;              ///< of the communicator
  int rank = 0;              ///< in the communicator
  std::string function;
  std::uint64_t bytes = 0;      ///< what the trace must say
  std::string arguments = "-";  ///< a name of what else is equal on all ranks; "-": not known
  std::int64_t before = 0;      ///< just before the call
  std::int64_t after = 0;       ///< just after the call
};

}  // namespace airamp::traced
