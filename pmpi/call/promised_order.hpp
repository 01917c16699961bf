// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

/// Whether the order of additions changes their result, of the types that shared memory carries.
constexpr bool depends_on_order(DataType type, ReduceOp op) {
  const DataType part = part_of(type);
  return (part == DataType::float32 || part == DataType::float64) && (op == ReduceOp::sum || op == ReduceOp::prod);
}

/// Whether sums are rounded once, whatever order they are added in.
constexpr bool sums_exactly(DataType type, ReduceOp op, ReductionOrder order) {
  return depends_on_order(type, op) && order == ReductionOrder::exact && op == ReduceOp::sum;
}

/// Whether the job's `reduction_order` promises the bits of any reductions of a kind. Not of those that are started:
/// they go their way without a question, on which such a promise rests.
inline bool may_order_be_promised(Kind kind) {
  return promises_bits(job().settings.reduction_order) && has_one_order(kind) && !is_started(kind);
}

/// The same of reductions by `op`.
inline bool is_order_promised(Kind kind, std::optional<ReduceOp> op) {
  return may_order_be_promised(kind) && (op == ReduceOp::sum || op == ReduceOp::prod);
}

/// The same of a call of whose facts all ranks find the same: it then goes through shared memory or by messages,
/// whatever is faster. A function of the job's settings and of agreed facts. Not of what may be compressed: who opts in
/// to that asks for other bits.
inline bool is_order_promised(Kind kind, const LocalFacts& facts) {
  return is_order_promised(kind, facts.op) && depends_on_order(facts.type, facts.op) && facts.memory == Memory::host &&
         facts.lossless && !facts.lossy;
}

/// Whether bits may be promised of calls of a kind with such arguments (CollectiveCall::equal_arguments). A function of
/// the job's settings and of what is equal on all ranks: of the operation alone, as handles of one type may differ.
inline bool may_order_be_promised(Kind kind, std::uint64_t equal_arguments) {
  return is_order_promised(kind, operation_in(equal_arguments));
}

}  // namespace airamp::pmpi
