// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <mpi.h>

#include <cstddef>

namespace airamp::gpu_tests {

/// What a test program ends with that cannot run here: CTest takes it for "skipped".
inline constexpr int skipped = 77;

/// Ends the job with a message unless a call of the CUDA runtime succeeded.
void require(cudaError_t status, const char* what);

/// This process's rank among those of its host.
int local_rank();

/// Makes GPU number (rank on this host) mod (number of GPUs) the current device. Collective over MPI_COMM_WORLD: true
/// on all ranks, or false on all after rank 0 has said why the test is skipped.
bool use_device();

/// Copies between any two places; done on return.
void copy_bytes(void* to, const void* from, std::size_t bytes);

}  // namespace airamp::gpu_tests
