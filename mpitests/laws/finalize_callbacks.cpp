// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// MPI_Finalize begins with the delete callbacks of attributes on MPI_COMM_SELF (MPI-4.1, 11.2.4), and MPI works in them
// as before: rank 1 sends in one what rank 0 needs before it calls MPI_Finalize itself, and in another one all ranks
// make a collective.
#include <mpi.h>

#include <cstdio>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 20000;
constexpr int tag = 7;
constexpr int goodbye = 42;

struct End {
  const HalfSum* half;
  MPI_Comm communicator;
  int rank;
};

int say_goodbye(MPI_Comm, int, void* attribute, void*) {
  const End& end = *static_cast<const End*>(attribute);
  if (end.rank == 1) MPI_Send(&goodbye, 1, MPI_INT, 0, tag, end.communicator);
  return MPI_SUCCESS;
}

int sum_for_the_last_time(MPI_Comm, int, void* attribute, void*) {
  const End& end = *static_cast<const End*>(attribute);
  require(sum_halves(*end.half, end.communicator, count, 1) > 0, "calls in MPI_Finalize's callbacks are accelerated");
  return MPI_SUCCESS;
}

void at_the_end(MPI_Comm_delete_attr_function* callback, End& end) {
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, callback, &keyval, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &end);
  MPI_Comm_free_keyval(&keyval);
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using namespace airamp::laws;
  MPI_Init(&argc, &argv);
  static const HalfSum& half = *new HalfSum;  // used in MPI_Finalize
  static End end{.half = &half, .communicator = MPI_COMM_NULL, .rank = 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &end.rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &end.communicator);
  sum_halves(half, end.communicator, count, 0);
  at_the_end(sum_for_the_last_time, end);  // set first, called last
  at_the_end(say_goodbye, end);
  if (end.rank == 0) {
    int said = 0;
    MPI_Recv(&said, 1, MPI_INT, 1, tag, end.communicator, MPI_STATUS_IGNORE);
    require(said == goodbye, "the message from rank 1's MPI_Finalize");
  }
  MPI_Finalize();
  return 0;
}
