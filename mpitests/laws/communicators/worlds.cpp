// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// A communicator with a process of another MPI_COMM_WORLD, which has no AIRamp: all of its calls are native, those in
// which AIRamp would exchange something of its own as well.
#include <mpi.h>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 20000;

/// Of this process, which has started the other one or was started by it.
MPI_Comm with_the_other(MPI_Comm parent, char* program) {
  MPI_Comm other = parent;
  if (parent == MPI_COMM_NULL)
    MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Intercomm_merge(other, parent == MPI_COMM_NULL ? 0 : 1, &both);
  return both;
}

void require_native(MPI_Comm communicator, const char* what) {
  const HalfSum half;
  for (int round = 0; round < 3; ++round) require(sum_halves(half, communicator, count, round) == 0, what);
}

void run(char* program) {
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_get_parent(&parent);
  MPI_Comm both = with_the_other(parent, program);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "airamp_compress", "true");
  MPI_Comm_set_info(both, info);
  MPI_Info_free(&info);
  require_native(both, "merged");
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(both, &copy);
  require_native(copy, "a duplicate of it");
  MPI_Comm_free(&copy);
  MPI_Comm_free(&both);
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::laws::run(argv[0]);
  MPI_Finalize();
  return 0;
}
