// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/compressed/compressed_gather.hpp"
#include "pmpi/algorithm/compressed/two_shot.hpp"
#include "pmpi/algorithm/registry.hpp"
#include "pmpi/call/eligibility.hpp"

namespace airamp::pmpi {
namespace {

bool carries(const AgreedFacts& facts) { return facts.local.lossy; }

/// nullptr if this rank's GPU cannot. Local; throws NoScratch or std::bad_alloc.
std::unique_ptr<Algorithm> make(const Acquisition& acquisition) {
  const ElementType element = element_type(acquisition.facts.type).value();
  std::unique_ptr<RowCodec> rows = make_row_codec(acquisition);
  if (rows == nullptr) return nullptr;
  std::shared_ptr<WireScratch> scratch = scratch_for(acquisition);
  MessageRoute route = route_for(acquisition);
  if (acquisition.kind == Kind::allreduce) {
    return std::make_unique<TwoShotAllreduce>(std::move(rows), job_codec(element), acquisition.facts.op, element,
                                              std::move(scratch), std::move(route), acquisition.rank);
  }
  return std::make_unique<CompressedGather>(std::move(rows), element, std::move(scratch), std::move(route),
                                            acquisition.rank);
}

Acquired acquire(const Acquisition& acquisition) {
  Acquired messages = acquire_messages(acquisition);
  if (messages.error != MPI_SUCCESS || !messages.why_not.empty()) return messages;
  return acquire_with_scratch(acquisition, [&] { return make(acquisition); });
}

}  // namespace

extern constexpr AlgorithmEntry mpi_two_shot_entry{.order = 80, .carries = carries, .acquire = acquire};

}  // namespace airamp::pmpi
