// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/collective_call.hpp"

namespace airamp::pmpi {

/// What an allreduce of `datatype` by `op` is: a float format and a reduction, or why it is neither. Probes
/// user-defined operations on two-byte types.
View view_of_reduction(MPI_Datatype datatype, MPI_Op op);

/// What a movement of `datatype` elements carries.
View view_of_movement(MPI_Datatype datatype);

/// The codec that the job's settings choose for `element`.
const gpu::Codec& job_codec(gpu::ElementType element);

}  // namespace airamp::pmpi
