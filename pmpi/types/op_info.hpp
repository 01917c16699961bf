// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "pmpi/mpi/mpi.hpp"
#include "pmpi/types/op_probe.hpp"

namespace airamp::pmpi {

/// The predefined operation that AIRamp can carry; empty for the others and for user-defined operations.
std::optional<ReduceOp> predefined_op(MPI_Op op) noexcept;

/// Whether `op` is predefined (any of them).
bool is_predefined_op(MPI_Op op) noexcept;

/// What is known of a user-defined operation on two-byte elements of one type.
struct UserOp {
  bool known = false;                      ///< it was declared, or tried
  std::optional<HalfReduction> reduction;  ///< what it is; empty if it is none of ours
};

/// Does not call the operation. What MPI refuses, such as a type that is not committed, is none of ours, without an
/// error. `type` must have two-byte elements without holes, and datatype_info must have seen it. Thread-safe.
UserOp user_op(MPI_Op op, MPI_Datatype type);

/// Calls an operation that is not known on the program's own elements, on the host, and remembers what it does with
/// elements of `type`, unless they tell too little. Only one that makes of them what a reduction of halves makes, and
/// nothing else, is called once more, on numbers that tell the reductions of halves from each other and show what
/// becomes of NaN and of too large sums; one that does not is never called with this type again. Thread-safe.
void try_user_op(MPI_Op op, MPI_Datatype type, const Operands& operands);

/// Takes the application's word for what `op` does, whatever the type. Thread-safe.
void declare_op(MPI_Op op, HalfReduction reduction);

/// Forgets a handle: it was freed, or a new operation has it now. Thread-safe.
void forget_op(MPI_Op op) noexcept;

/// Forgets what operations do with `type`, which is being freed. Thread-safe.
void forget_type_of_ops(MPI_Datatype type) noexcept;

}  // namespace airamp::pmpi
