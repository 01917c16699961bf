// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Under MPI_ERRORS_RETURN a wrong call returns the class of error that it returns natively, and the next call is right.
// Only the communicator has that handler: MPI_COMM_WORLD's, which ends the job, must hear of nothing.
#include <cstdio>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

int class_of(int code) {
  int result = MPI_SUCCESS;
  MPI_Error_class(code, &result);
  return result;
}

// Every rank makes the same mistake, so that none of them waits for another. A negative count is not among them: some
// builds of MPICH do not look.
std::vector<int> make_mistakes(const HalfSum& half, MPI_Comm communicator) {
  std::vector<std::uint16_t> send(100000);
  std::vector<std::uint16_t> receive(1000000);
  const void* from = send.data();
  void* to = receive.data();
  const int count = static_cast<int>(send.size());
  MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_BYTE, &uncommitted);
  std::vector<int> classes = {
      class_of(MPI_Allreduce(from, to, count, MPI_DATATYPE_NULL, half.op(), communicator)),
      class_of(MPI_Allreduce(from, to, count, half.type(), MPI_OP_NULL, communicator)),
      class_of(MPI_Allreduce(from, to, count / 4, MPI_DOUBLE, MPI_BAND, communicator)),
      class_of(MPI_Allreduce(from, to, count, half.type(), MPI_SUM, communicator)),
      class_of(MPI_Allreduce(from, to, count, uncommitted, half.op(), communicator)),
      class_of(MPI_Allgather(from, count, half.type(), to, count, MPI_DATATYPE_NULL, communicator)),
      class_of(MPI_Allgather(from, count, MPI_DATATYPE_NULL, to, count, half.type(), communicator)),
      class_of(MPI_Allgather(from, count, uncommitted, to, count, uncommitted, communicator)),
  };
  MPI_Type_free(&uncommitted);
  return classes;
}

// An error on no communicator is MPI_COMM_WORLD's.
void miss_the_communicator(const HalfSum& half) {
  std::vector<std::uint16_t> send(100000);
  std::vector<std::uint16_t> receive(send.size());
  const auto mistake = [&] {
    return class_of(MPI_Allreduce(send.data(), receive.data(), static_cast<int>(send.size()), half.type(), half.op(),
                                  MPI_COMM_NULL));
  };
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Pcontrol(0);
  const int native = mistake();
  MPI_Pcontrol(1);
  require(mistake() == native && native != MPI_SUCCESS, "error class without a communicator");
}

}  // namespace

void run() {
  const HalfSum half;
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  // Plans are alive when the mistakes come.
  for (int round = 0; round < 4; ++round) sum_halves(half, communicator, 100000, round);
  MPI_Pcontrol(0);
  const std::vector<int> native = make_mistakes(half, communicator);
  MPI_Pcontrol(1);
  for (int round = 0; round < 2; ++round) {
    const std::vector<int> seen = make_mistakes(half, communicator);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] != native[i])
        std::fprintf(stderr, "mistake %zu: error class %d, natively %d\n", i, seen[i], native[i]);
      require(seen[i] == native[i], "error class");
    }
    require(native[0] != MPI_SUCCESS, "MPI finds a missing datatype");
    sum_halves(half, communicator, 100000, round);
  }
  miss_the_communicator(half);
  MPI_Comm_free(&communicator);
}

}  // namespace airamp::laws
