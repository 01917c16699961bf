// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "benchmarks/airamp_bench/values/kinds.hpp"

namespace airamp::benchmark {

/// The user function of an MPI operation on two-byte floats, as real codes write it: MPI has no such type of its own.
/// It takes elements of a datatype of two bytes each.
MPI_User_function* half_operation(ElementType type, Operation operation);

}  // namespace airamp::benchmark
