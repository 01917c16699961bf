// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/unasked_calls.hpp"

#include "pmpi/state/compression_obstacle.hpp"

namespace airamp::pmpi {

Explanation why_not_asked(const AskingJob& job, const UnaskedCalls& calls) {
  if (!job.on) return {.reason = Reason::off, .detail = job.why_off};
  if (job.forced_native) return {.reason = Reason::forced_native};
  const bool for_gpus = is_for_gpus(calls.kind);
  if (job.gpus && for_gpus) return {.reason = Reason::not_asked};  // but for these, all are asked about
  if (job.shared_memory && job.one_host) return {.reason = Reason::not_asked};
  if (!is_compressible(calls.kind)) {
    if (job.shared_memory) return {.reason = Reason::not_asked};
    return {.reason = for_gpus ? Reason::no_gpus : Reason::function_passed_through};
  }
  const Reason obstacle = compression_obstacle(
      {.kind = calls.kind, .bytes = calls.max_bytes, .min_bytes = job.min_bytes, .opted_in = calls.opted_in});
  return {.reason = obstacle != Reason::none ? obstacle : Reason::not_asked};
}

}  // namespace airamp::pmpi
