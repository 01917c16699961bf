// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/device/check.hpp"

#include <cstdio>

namespace airamp::device_tests {

void require(bool right, const std::string& what) {
  if (right) return;
  std::fprintf(stderr, "rank %d: wrong: %s\n", rank_in(), what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

int size_of(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}

}  // namespace airamp::device_tests
