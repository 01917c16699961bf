// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include "mpitests/laws/run.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::laws::run();
  MPI_Finalize();
  return 0;
}
