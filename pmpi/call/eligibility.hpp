// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

/// What a reduction of `datatype` by `op` is: a number format and a reduction, or why it is neither. Undecided for
/// user-defined operations on two-byte types that were not tried yet, if anything is wished.
LocalFacts facts_of_reduction(MPI_Datatype datatype, MPI_Op op, Wish wish);

/// What a movement of `count` elements carries; of unknown elements, bytes. Those with holes are packed where the CPU
/// carries them, if they are not too many.
LocalFacts facts_of_movement(MPI_Datatype datatype, MPI_Count count, Wish wish);

/// Takes into account what GPUs do not: reductions that their kernels do not know, which take complex numbers for their
/// parts, and elements that are not aligned to their size, where a load faults. Looks at the buffers of a call on GPU
/// memory. Lossless movement is of bytes, which are always aligned.
void heed_gpus(LocalFacts& facts, const CollectiveCall& call);

/// Takes into account that of some values the MPI library alone knows what a reduction makes (depends_on_values): looks
/// at the numbers of a call on host memory, if they are few enough to do so in each call.
void heed_values(LocalFacts& facts, const CollectiveCall& call);

/// Whether heed_values looks at the numbers of such reductions: a call is not known again by its arguments then.
bool reduction_depends_on_values(MPI_Datatype datatype, MPI_Op op);

/// Whether calls of a kind on host buffers may go through memory that the ranks share: a function of the job's
/// settings. An order of reductions that is promised asks for it as well. Inline: each call asks.
inline bool is_for_shared_memory(Kind kind) {
  const config::Settings& settings = job().settings;
  return settings.enable_shared_memory || (promises_bits(settings.reduction_order) && has_one_order(kind));
}

/// The same of calls of so many bytes, which are equal on all ranks.
bool may_use_shared_memory(Kind kind, std::uint64_t bytes);

/// The datatype and operation of a reduction, which MPI wants equal on all ranks, as a number: as much of them as
/// decides on eligibility.
std::uint64_t reduction_arguments(MPI_Datatype datatype, MPI_Op op);

/// Whether a reduction of such a number may be eligible: not by an operation that AIRamp does not know on elements that
/// are no halves.
bool may_be_carried(std::uint64_t reduction_arguments);

/// The operation in such a number; empty if AIRamp does not know it.
std::optional<ReduceOp> operation_in(std::uint64_t reduction_arguments);

/// The wire format that the job's settings choose.
WireFormat job_wire_format();

/// The codec that the job's settings choose for `element`.
const codec::Codec& job_codec(ElementType element);

}  // namespace airamp::pmpi
