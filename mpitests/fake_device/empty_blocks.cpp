// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// In-place MPI_Allgatherv in which one rank gives all, and the empty blocks of the others begin where its block does.
// What AIRamp measures beside the call must not alter what that rank gives: values come out bit by bit, since 8-bit
// floats do not hold them within the error that is allowed.
#include <cstring>

#include "mpitests/differential/random.hpp"
#include "mpitests/fake_device/checked_call/buffer.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/real_device/element.hpp"

namespace airamp::device_tests {
namespace {

void gather(const gpu_tests::Element& half, int giver, int round) {
  constexpr std::size_t count = 20000;
  const auto ranks = static_cast<std::size_t>(size_of());
  std::vector<int> counts(ranks, 0);
  const std::vector<int> displacements(ranks, 0);
  counts[static_cast<std::size_t>(giver)] = static_cast<int>(count);
  differential::Random random(static_cast<std::uint64_t>(round));
  std::vector<std::uint16_t> given(count);
  for (std::uint16_t& bits : given) bits = static_cast<std::uint16_t>(0x3000 + random.below(0x1000));  // 0.125 to 2
  const std::size_t bytes = count * sizeof(std::uint16_t);
  const Buffer buffer(Place::device, bytes);
  if (rank_in() == giver) std::memcpy(buffer.host(), given.data(), bytes);
  MPI_Allgatherv(MPI_IN_PLACE, 0, half.type, buffer.data(), counts.data(), displacements.data(), half.type,
                 MPI_COMM_WORLD);
  require(std::memcmp(buffer.host(), given.data(), bytes) == 0, "what rank " + std::to_string(giver) + " gave");
  require(buffer.guards_intact(), "nothing is written beside the buffer");
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp;
  MPI_Init(&argc, &argv);
  {
    const gpu_tests::Vocabulary vocabulary;
    const gpu_tests::Element& half = vocabulary.elements().front();  // by its name FP16
    for (int round = 0; round < 24; ++round)
      device_tests::gather(half, round / 12 * (device_tests::size_of() - 1), round);
  }
  MPI_Finalize();
  return 0;
}
