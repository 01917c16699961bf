// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_device/checked_call/check.hpp"

#include <array>
#include <cstdint>
#include <cstdio>

#include "mpitests/differential/random.hpp"

namespace airamp::device_tests {

void require(bool right, const std::string& what) {
  if (right) return;
  std::fprintf(stderr, "rank %d: wrong: %s\n", rank_in(), what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void require_same_bits(const std::byte* data, std::size_t bytes) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < bytes; ++i) hash = differential::mix(hash ^ std::to_integer<std::uint64_t>(data[i]));
  std::array<std::uint64_t, 2> extremes{hash, ~hash};
  MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  require(extremes[0] == ~extremes[1], "all ranks have the same bits");
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
