// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// MPI lets the ranks of an Allgather name the same bytes by different datatypes: here FP16 as two contiguous bytes on
// one rank, MPI_BYTE with twice the count on the others. No rank may go a way of its own.
//   equal_signature [agreed]    "agreed": calls with FP16 on all ranks come first, so that compression is agreed
//   already
#include <cstring>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 60000;

double gather(MPI_Datatype type, std::size_t elements, int rank, int ranks, int round) {
  const std::vector<std::uint16_t> send = halves(count, rank, round);
  std::vector<std::uint16_t> receive(count * static_cast<std::size_t>(ranks));
  const int number = static_cast<int>(elements);
  require(MPI_Allgather(send.data(), number, type, receive.data(), number, type, MPI_COMM_WORLD) == MPI_SUCCESS,
          "return code of MPI_Allgather");
  return error_of_gather(receive, ranks, round);
}

void run(bool agreed) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const HalfSum half;
  sum_halves(half, MPI_COMM_WORLD, count, 0);
  if (agreed)
    for (int round = 0; round < 3; ++round)
      require(gather(half.type(), count, rank, ranks, round) < compressed_error, "gather of FP16");
  for (int odd = 0; odd < ranks; ++odd) {
    for (int round = 0; round < 3; ++round) {
      const double error = rank == odd ? gather(half.type(), count, rank, ranks, round)
                                       : gather(MPI_BYTE, 2 * count, rank, ranks, round);
      require(agreed ? error < compressed_error : error == 0, "gather of FP16 on one rank and bytes on the others");
    }
  }
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::laws::run(argc > 1 && std::strcmp(argv[1], "agreed") == 0);
  MPI_Finalize();
  return 0;
}
