// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "mpitests/faults/cases.hpp"
#include "mpitests/faults/job.hpp"
#include "mpitests/faults/verdict.hpp"

namespace airamp::faults {

void aborts(const Arguments& /*arguments*/) {
  start();
  work();
  if (is_last()) MPI_Abort(MPI_COMM_WORLD, 3);
  work();
  finish();
}

void exits(const Arguments& arguments) {
  start();
  work();
  if (is_last()) std::exit(static_cast<int>(number(arguments, 0, 0)));
  work();
  finish();
}

void all_exit(const Arguments& /*arguments*/) {
  start();
  work();
  leave_verdict("right");
  std::exit(0);
}

}  // namespace airamp::faults
