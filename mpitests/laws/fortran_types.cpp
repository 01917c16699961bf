// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The ranks of a coupled job name the same numbers by the words of their languages, one rank
// by Fortran's, the others by C's. No rank may go a way of its own.
#include <array>
#include <complex>
#include <cstdint>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

/// Two handles of types that equal each other if they have the same size, which the Fortran compiler has chosen.
struct Pair {
  MPI_Datatype in_c;
  MPI_Datatype in_fortran;
};

template <class Number>
void reduce(const Pair& pair, std::size_t count, MPI_Op op) {
  int fortran_bytes = 0;
  MPI_Type_size(pair.in_fortran, &fortran_bytes);
  if (fortran_bytes != static_cast<int>(sizeof(Number))) return;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < 30; ++round) {
    const std::vector<Number> send(count, static_cast<Number>(rank + 1));
    std::vector<Number> receive(count);
    // now and then all say the same, so that pauses between agreements end at different calls if they are not shared
    MPI_Datatype type = rank == 0 || round % 3 == 0 ? pair.in_c : pair.in_fortran;
    MPI_Allreduce(send.data(), receive.data(), static_cast<int>(count), type, op, MPI_COMM_WORLD);
    const int sum = ranks * (ranks + 1) / 2;
    for (const Number value : receive) require(value == static_cast<Number>(op == MPI_SUM ? sum : ranks), "a number");
  }
}

}  // namespace

void run() {
  for (const std::size_t count : {4, 40000}) {
    reduce<std::complex<double>>({MPI_C_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX}, count, MPI_SUM);
    reduce<std::complex<float>>({MPI_C_FLOAT_COMPLEX, MPI_COMPLEX}, count, MPI_SUM);
    for (MPI_Op op : {MPI_SUM, MPI_MAX}) {
      reduce<double>({MPI_DOUBLE, MPI_DOUBLE_PRECISION}, count, op);
      reduce<double>({MPI_DOUBLE, MPI_REAL8}, count, op);
      reduce<float>({MPI_FLOAT, MPI_REAL}, count, op);
      reduce<float>({MPI_FLOAT, MPI_REAL4}, count, op);
      reduce<std::int16_t>({MPI_SHORT, MPI_INTEGER2}, count, op);
      reduce<std::int32_t>({MPI_INT, MPI_INTEGER}, count, op);
      reduce<std::int32_t>({MPI_INT32_T, MPI_INTEGER4}, count, op);
      reduce<std::int64_t>({MPI_LONG, MPI_INTEGER8}, count, op);
      reduce<std::int64_t>({MPI_INT64_T, MPI_LONG_LONG}, count, op);
      reduce<std::int64_t>({MPI_AINT, MPI_OFFSET}, count, op);
    }
  }
}

}  // namespace airamp::laws
