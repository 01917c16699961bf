// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "pmpi/mpi.hpp"
#include "pmpi/op_probe.hpp"

namespace airamp::pmpi {

/// The predefined operation that AIRamp can carry; empty for the others and for user-defined operations.
std::optional<gpu::ReduceOp> predefined_op(MPI_Op op) noexcept;

/// Whether `op` is predefined (any of them).
bool is_predefined_op(MPI_Op op) noexcept;

/// What a user-defined operation does with two-byte elements of `type`: probed by calling it on small host vectors when
/// it is first seen with this type, remembered afterwards; an operation that does none of ours is never called with
/// this type again. What MPI refuses, such as a type that is not committed, is empty without an error. `type` must have
/// two-byte elements without holes, and datatype_info must have seen it. Thread-safe.
std::optional<HalfReduction> user_op(MPI_Op op, MPI_Datatype type);

/// Takes the application's word for what `op` does, whatever the type. Thread-safe.
void declare_op(MPI_Op op, HalfReduction reduction);

/// Forgets a handle: it was freed, or a new operation has it now. Thread-safe.
void forget_op(MPI_Op op) noexcept;

/// Forgets what operations do with `type`, which is being freed. Thread-safe.
void forget_type_of_ops(MPI_Datatype type) noexcept;

std::string_view to_string(gpu::ReduceOp op) noexcept;

}  // namespace airamp::pmpi
