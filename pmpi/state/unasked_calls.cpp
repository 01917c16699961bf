// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/unasked_calls.hpp"

#include "pmpi/state/compression_obstacle.hpp"

namespace airamp::pmpi {

Explanation why_not_asked(const AskingJob& job, const UnaskedCalls& calls) {
  if (!job.on) return {.reason = Reason::off, .detail = job.why_off};
  if (job.forced_native) return {.reason = Reason::forced_native};
  if (job.gpus) return {.reason = Reason::not_asked};  // but for these, all are asked about
  if (!is_compressible(calls.kind)) return {.reason = job.shared_memory ? Reason::not_asked : Reason::no_gpus};
  const Reason obstacle = compression_obstacle(
      {.kind = calls.kind, .bytes = calls.max_bytes, .min_bytes = job.min_bytes, .opted_in = calls.opted_in});
  return {.reason = obstacle != Reason::none ? obstacle : Reason::not_asked};
}

}  // namespace airamp::pmpi
