// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "memory_of_ranks.hpp"

namespace airamp::benchmark {

int run_program(const char* name, int argc, char** argv, int (*run)(int argc, char** argv)) {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    status = run(argc, argv);
  } catch (const std::exception& error) {
    // The other ranks are somewhere inside a collective.
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}

std::unique_ptr<Memory> open_memory_with_airamp(const char* program, Place place) {
  return open_on_all_ranks(program, MPI_COMM_WORLD, [place] {
    if (dlsym(RTLD_DEFAULT, "airamp_version") == nullptr) throw std::runtime_error("AIRamp is not loaded");
    return place == Place::host ? host_memory() : device_memory(local_rank(MPI_COMM_WORLD));
  });
}

}  // namespace airamp::benchmark
