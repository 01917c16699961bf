// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/device.hpp"

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace airamp::gpu_tests {

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int local_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    if (const char* value = std::getenv(name)) return std::atoi(value);
  }
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int rank = 0;
  MPI_Comm_rank(host, &rank);
  MPI_Comm_free(&host);
  return rank;
}

bool use_device() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  int fewest = status == cudaSuccess ? devices : 0;
  MPI_Allreduce(MPI_IN_PLACE, &fewest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (fewest == 0) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char* why = status == cudaSuccess ? "another rank has none" : cudaGetErrorString(status);
    if (rank == 0) std::printf("skipped: no GPU here that CUDA can use (%s)\n", why);
    return false;
  }
  require(cudaSetDevice(local_rank() % devices), "cudaSetDevice");
  return true;
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  require(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "cudaMemcpy");
  // A copy inside the device or from pageable memory returns before it is done.
  require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

}  // namespace airamp::gpu_tests
