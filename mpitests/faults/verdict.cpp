// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/faults/verdict.hpp"

#include <mpi.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace airamp::faults {
namespace {

std::string& folder() {
  static std::string name;
  return name;
}

int read_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    if (const char* value = std::getenv(name); value != nullptr) return std::atoi(value);
  }
  return 0;
}

}  // namespace

int rank_by_launcher() {
  static const int rank = read_rank();
  return rank;
}

void set_verdict_folder(const char* name) {
  folder() = name;
  rank_by_launcher();  // the program may clear its environment
}

void leave_verdict(std::string_view verdict) {
  mkdir((folder() + "/" + std::to_string(rank_by_launcher()) + "." + std::string(verdict)).c_str(), S_IRWXU);
}

void require(bool right, const char* what) {
  if (right) return;
  leave_verdict("wrong");
  std::fprintf(stderr, "wrong: rank %d: %s\n", rank_by_launcher(), what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace airamp::faults
