// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "memory_of_ranks.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace airamp::benchmark {

int local_rank(MPI_Comm communicator) {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    if (const char* value = std::getenv(name)) return std::atoi(value);
  }
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int rank = 0;
  MPI_Comm_rank(host, &rank);
  MPI_Comm_free(&host);
  return rank;
}

bool mpi_refuses_device_memory() {
  using Query = int (*)();
  void* symbol = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
  return symbol != nullptr && reinterpret_cast<Query>(symbol)() == 0;
}

std::unique_ptr<Memory> open_on_all_ranks(const char* program, MPI_Comm communicator,
                                          const std::function<std::unique_ptr<Memory>()>& open) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  std::unique_ptr<Memory> memory;
  std::string mistake;
  try {
    memory = open();
  } catch (const std::exception& error) {
    mistake = error.what();
  }
  int first = memory ? ranks : rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, communicator);
  if (first == rank) std::fprintf(stderr, "%s: %s\n", program, mistake.c_str());
  if (first < ranks) memory.reset();
  return memory;
}

}  // namespace airamp::benchmark
