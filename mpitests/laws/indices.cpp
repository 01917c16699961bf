// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Programs that choose a datatype by the size of an element have one for FP16 and for 16-bit indices. What its sums by
// a user-defined operation say of it says nothing of what is gathered: indices come out as they went in.
#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {

void run() {
  constexpr std::size_t count = 32768;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const HalfSum half(HalfSum::Name::none);
  std::vector<std::uint16_t> indices(count);
  for (std::size_t i = 0; i < count; ++i) indices[i] = static_cast<std::uint16_t>(i * 7 + static_cast<unsigned>(rank));
  std::vector<std::uint16_t> gathered(count * static_cast<std::size_t>(ranks));
  for (int round = 0; round < 10; ++round) {
    sum_halves(half, MPI_COMM_WORLD, count, round);
    MPI_Allgather(indices.data(), static_cast<int>(count), half.type(), gathered.data(), static_cast<int>(count),
                  half.type(), MPI_COMM_WORLD);
    for (std::size_t i = 0; i < gathered.size(); ++i) {
      require(gathered[i] == static_cast<std::uint16_t>(i % count * 7 + i / count), "a gathered index");
    }
  }
}

}  // namespace airamp::laws
