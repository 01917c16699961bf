// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// error_handler_leaves throw|jump: an error handler may leave by a C++ exception (as the one of MPI's own C++ bindings
// did) or by longjmp(3). Whatever it leaves behind, the calls after it are right, and in step with the other ranks.
#include <mpi.h>

#include <array>
#include <csetjmp>
#include <cstring>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 20000;

struct Error {
  int code;
};

bool jumps = false;
std::jmp_buf place;
int handled = 0;

void leave(MPI_Comm*, int* code, ...) {
  ++handled;
  if (jumps) std::longjmp(place, 1);  // NOLINT(cert-err52-cpp): what is tested
  throw Error{*code};
}

// Makes the mistake, and comes back.
template <class Mistake>
void survive(const Mistake& mistake) {
  const int before = handled;
  if (jumps) {
    if (setjmp(place) == 0) mistake();  // NOLINT(cert-err52-cpp)
  } else {
    try {
      mistake();
    } catch (const Error&) {  // handled
    }
  }
  require(handled > before, "the error handler ran");
}

// On one rank alone: errors that MPI finds before it communicates.
void on_one_rank(int rank) {
  if (rank != 0) return;
  std::array<float, 2> x{};
  survive([] { MPI_Barrier(MPI_COMM_NULL); });
  survive([&] { MPI_Allreduce(&x[0], &x[1], 1, MPI_FLOAT, MPI_OP_NULL, MPI_COMM_SELF); });
  MPI_Comm none = MPI_COMM_NULL;
  survive([&] { MPI_Comm_free(&none); });
}

// The same on all ranks: in the middle of calls that the ranks agree on.
void on_all_ranks(const HalfSum& half, MPI_Comm communicator) {
  static std::vector<std::uint16_t> values(count);
  MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_BYTE, &uncommitted);
  const int n = static_cast<int>(count);
  survive([&] { MPI_Allreduce(MPI_IN_PLACE, values.data(), n, uncommitted, half.op(), communicator); });
  survive([&] { MPI_Allreduce(MPI_IN_PLACE, values.data(), n, half.type(), MPI_SUM, communicator); });
  MPI_Type_free(&uncommitted);
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using namespace airamp::laws;
  MPI_Init(&argc, &argv);
  jumps = argc > 1 && std::strcmp(argv[1], "jump") == 0;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(leave, &handler);
  for (MPI_Comm communicator : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(communicator, handler);
  {
    const HalfSum half;
    for (int round = 0; round < 12; ++round) {
      sum_halves(half, MPI_COMM_WORLD, count, round);
      on_one_rank(rank);
      on_all_ranks(half, MPI_COMM_WORLD);
    }
    for (int round = 0; round < 4; ++round) sum_halves(half, MPI_COMM_WORLD, count, round);
  }
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
