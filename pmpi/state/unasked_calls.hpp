// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/explanation.hpp"
#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// Calls of one kind and size bucket that went native without an agreement, on whatever communicators.
struct UnaskedCalls {
  Kind kind;
  std::uint64_t max_bytes = 0;  ///< of the bucket
  bool opted_in = false;        ///< the job's settings, to compressing this kind
};

/// What of the job decides whether ranks are asked.
struct AskingJob {
  bool on = false;
  std::string why_off;
  bool gpus = false;
  bool shared_memory = false;  ///< host buffers may go through memory that the ranks share
  bool one_host = false;       ///< all ranks share it
  bool forced_native = false;
  std::uint64_t min_bytes = 0;
};

/// Why nobody was asked: of several reasons the one that remains whatever the user opts in to. May throw
/// std::bad_alloc.
Explanation why_not_asked(const AskingJob& job, const UnaskedCalls& calls);

}  // namespace airamp::pmpi
