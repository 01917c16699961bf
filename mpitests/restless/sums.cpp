// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/restless/sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "mpitests/laws/shared_memory/communicators.hpp"
#include "testing/mpi_functions.hpp"

namespace airamp::restless {
namespace {

using testing::MpiFunctions;

constexpr std::uint64_t most_numbers = 600;
constexpr std::uint64_t most_repetitions = 60;

enum class Kind : std::uint8_t { allreduce, reduce, reduce_scatter_block };
constexpr std::uint64_t kinds = 3;

struct Sum {
  Kind kind;
  int count;  ///< of numbers; those of a block where there is one for each rank
  int root;
};

/// Of magnitudes that differ so much that another order of additions gives other bits.
std::vector<double> numbers_of(int rank, std::uint64_t seed, std::size_t count) {
  differential::Random random(seed ^ static_cast<std::uint64_t>(rank) << 40U);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = std::ldexp(random.unit() - 0.5, static_cast<int>(random.below(20)));
  return numbers;
}

/// This rank's result.
std::vector<double> make(const Sum& sum, const std::vector<double>& numbers, MPI_Comm comm, const MpiFunctions& mpi) {
  std::vector<double> result(static_cast<std::size_t>(sum.count));
  switch (sum.kind) {
    case Kind::allreduce:
      mpi.allreduce(numbers.data(), result.data(), sum.count, MPI_DOUBLE, MPI_SUM, comm);
      break;
    case Kind::reduce:
      mpi.reduce(numbers.data(), result.data(), sum.count, MPI_DOUBLE, MPI_SUM, sum.root, comm);
      break;
    case Kind::reduce_scatter_block:
      mpi.reduce_scatter_block(numbers.data(), result.data(), sum.count, MPI_DOUBLE, MPI_SUM, comm);
      break;
  }
  return result;
}

bool has_librarys_bits(const Sum& sum, std::uint64_t seed, MPI_Comm comm) {
  static const MpiFunctions programs = testing::programs_functions();
  const int blocks = sum.kind == Kind::reduce_scatter_block ? laws::size_of(comm) : 1;
  const auto count = static_cast<std::size_t>(sum.count) * static_cast<std::size_t>(blocks);
  const std::vector<double> numbers = numbers_of(laws::rank_in(comm), seed, count);
  const std::vector<double> own = make(sum, numbers, comm, programs);
  const std::vector<double> librarys = make(sum, numbers, comm, testing::librarys_functions());
  return std::memcmp(own.data(), librarys.data(), own.size() * sizeof(double)) == 0;
}

}  // namespace

std::string repeat_sum(differential::Random& random, MPI_Comm communicator) {
  const Sum sum{.kind = static_cast<Kind>(random.below(kinds)),
                .count = 1 + static_cast<int>(random.below(most_numbers)),
                .root = static_cast<int>(random.bits() % static_cast<std::uint64_t>(laws::size_of(communicator)))};
  std::string wrong;
  const std::uint64_t repetitions = 1 + random.below(most_repetitions);
  for (std::uint64_t i = 0; i < repetitions; ++i) {
    Sum other = sum;
    if (random.chance(0.05)) other.count = std::max(1, sum.count - 3);
    if (has_librarys_bits(other, random.bits(), communicator)) continue;
    wrong = "a sum of " + std::to_string(other.count) + " numbers, kind " +
            std::to_string(static_cast<int>(other.kind)) + ", root " + std::to_string(other.root) +
            ", has not the MPI library's bits";
  }
  return wrong;
}

}  // namespace airamp::restless
