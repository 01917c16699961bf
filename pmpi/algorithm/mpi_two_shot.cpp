// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/compressed_gather.hpp"
#include "pmpi/algorithm/registry.hpp"
#include "pmpi/algorithm/two_shot.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/job/fault_tolerance.hpp"

namespace airamp::pmpi {
namespace {

bool carries(const AgreedFacts& facts) { return facts.local.lossy; }

/// nullptr if this rank's GPU cannot. Local; throws NoScratch or std::bad_alloc.
std::unique_ptr<Algorithm> make(const Acquisition& acquisition) {
  const ElementType element = element_type(acquisition.facts.type).value();
  std::unique_ptr<RowCodec> rows = make_row_codec(acquisition);
  if (rows == nullptr) return nullptr;
  std::shared_ptr<WireScratch> scratch = scratch_for(acquisition);
  const int tag = *acquisition.tag;
  MessageRoute route = job_survives_failures()
                           ? route_on(acquisition.resources.private_communicator, acquisition.size, tag)
                           : job_channel().route(acquisition.comm, tag);
  if (acquisition.kind == Kind::allreduce) {
    return std::make_unique<TwoShotAllreduce>(std::move(rows), job_codec(element), acquisition.facts.op, element,
                                              std::move(scratch), std::move(route), acquisition.rank);
  }
  return std::make_unique<CompressedGather>(std::move(rows), element, std::move(scratch), std::move(route),
                                            acquisition.rank);
}

Acquired acquire(const Acquisition& acquisition) {
  if (const int error = acquire_tag(acquisition); error != MPI_SUCCESS) return {.error = error};
  if (!acquisition.tag) return {.why_not = no_tag};
  if (job_survives_failures()) {
    if (const int error = create_private_communicator(acquisition); error != MPI_SUCCESS) return {.error = error};
  }
  return acquire_with_scratch(acquisition, [&] { return make(acquisition); });
}

}  // namespace

extern constexpr AlgorithmEntry mpi_two_shot_entry{.order = 80, .carries = carries, .acquire = acquire};

}  // namespace airamp::pmpi
