// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// floating_point cancelling|signalling|no_memory [in-init]: calls that programs with floating-point traps, as of
// gfortran's -ffpe-trap=invalid,zero,overflow, make without a trap natively: sums that cancel to zero, gathers of
// signalling NaN, gathers for whose measurement there is no memory. Nor may they leave an exception flag behind. With
// in-init MPI_Init is one of those calls.
#include <sys/resource.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr int rounds = 12;  // enough for AIRamp to measure and to decide
constexpr int flags = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW;

/// Natively the sum of every three ranks is zero; compressed ones are not.
void cancel(int rank, int ranks) {
  require(ranks == 3, "three ranks");
  constexpr int count = 1 << 16;
  const float shares[] = {17, 1, -18};
  std::vector<float> send(count);
  std::vector<float> receive(count);
  for (int i = 0; i < count; ++i) send[static_cast<std::size_t>(i)] = shares[rank] * (i % 13 == 5 ? 1.5F : 1.0F);
  for (int round = 0; round < rounds; ++round) {
    MPI_Allreduce(send.data(), receive.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    for (const float value : receive) require(value == 0, "a sum that cancels");
  }
}

/// Their bits: a signalling NaN that passes through the arithmetic of a comparison traps.
void signal(int ranks) {
  constexpr std::uint32_t signalling_nan = 0x7fa00000;
  const std::vector<std::uint32_t> send(1 << 16, signalling_nan);
  std::vector<std::uint32_t> receive(send.size() * static_cast<std::size_t>(ranks));
  const int count = static_cast<int>(send.size());
  for (int round = 0; round < rounds; ++round) {
    MPI_Allgather(send.data(), count, MPI_FLOAT, receive.data(), count, MPI_FLOAT, MPI_COMM_WORLD);
    for (const std::uint32_t bits : receive) require((bits & 0x7fffffffU) > 0x7f800000U, "a gathered NaN");
  }
}

/// Leaves this process `bytes` bytes of address space beyond what it uses.
void limit_memory(std::size_t bytes) {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  require(file != nullptr && std::fscanf(file, "%lu", &pages) == 1, "the size of this process");
  std::fclose(file);
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * 4096 + bytes;
  require(setrlimit(RLIMIT_AS, &limit) == 0, "a limit of memory");
}

/// The scratch of an algorithm finds room, that for a measured result does not.
void run_out_of_memory(int ranks) {
  const std::vector<float> send(1U << 23U, 1.5F);
  std::vector<float> receive(send.size() * static_cast<std::size_t>(ranks));
  const int count = static_cast<int>(send.size());
  limit_memory(receive.size() * sizeof(float) / 4 * 3);
  for (int round = 0; round < rounds; ++round) {
    MPI_Allgather(send.data(), count, MPI_FLOAT, receive.data(), count, MPI_FLOAT, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < receive.size(); i += 1000) require(receive[i] == 1.5F, "a gathered number");
  }
}

void run(std::string_view mode) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (mode == "cancelling") cancel(rank, ranks);
  if (mode == "signalling") signal(ranks);
  if (mode == "no_memory") run_out_of_memory(ranks);
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using airamp::laws::require;
  constexpr int traps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
  const bool in_init = argc > 2 && std::string_view(argv[2]) == "in-init";
  if (in_init) feenableexcept(traps);
  MPI_Init(&argc, &argv);
  std::feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(traps);
  airamp::laws::run(argc > 1 ? argv[1] : "");
  require(std::fetestexcept(airamp::laws::flags) == 0, "exception flags");
  MPI_Finalize();
  return 0;
}
