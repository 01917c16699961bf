// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Random sums and products of floating-point numbers, each made as any program does, and on a duplicate of the
// communicator by the MPI library alone, past AIRamp:
//   differential_bits [--seed N] [--calls N] [--max-bytes N]
// Every bit of both results must be the same, on all ranks. Exit status 1 if one was not.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "mpitests/differential/reduction.hpp"
#include "testing/mpi_functions.hpp"

namespace airamp::differential {
namespace {

constexpr int communicators = 4;  // that the calls are shared among: each begins with native calls
constexpr int max_messages = 5;

/// The same on all ranks.
struct Compared : Reduction {
  bool native_first = false;
};

/// Between 8 bytes and the most, evenly by their logarithm; every second one of a few that recur.
std::size_t draw_bytes(Random& random, std::size_t most) {
  constexpr double recurring_a_doubling = 2;
  double doublings = random.unit() * (std::log2(static_cast<double>(most)) - 3);
  if (random.chance(0.5)) doublings = std::round(doublings * recurring_a_doubling) / recurring_a_doubling;
  return static_cast<std::size_t>(8 * std::exp2(doublings));
}

Function draw_function(Random& random) {
  const double dice = random.unit();
  if (dice < 0.4) return Function::allreduce;
  if (dice < 0.6) return Function::reduce;
  if (dice < 0.7) return Function::reduce_scatter_block;
  if (dice < 0.8) return Function::reduce_scatter;
  return dice < 0.9 ? Function::scan : Function::exscan;
}

/// Most have blocks of one length. In others every second rank has one element less, or none.
std::vector<int> draw_counts(Random& random, std::size_t count, int ranks) {
  const bool even = random.chance(0.7);
  std::vector<int> counts;
  for (int rank = 0; rank < ranks; ++rank) counts.push_back(static_cast<int>(count) - (even ? 0 : rank % 2));
  return counts;
}

Compared draw(Random& random, std::size_t max_bytes, int ranks) {
  Compared call;
  call.function = draw_function(random);
  call.type = random.below(types.size());
  call.product = random.chance(0.5) && types[call.type].has_products();
  const bool scatters = call.function == Function::reduce_scatter_block || call.function == Function::reduce_scatter;
  call.in_place = random.chance(0.2) && call.function != Function::reduce && !scatters;
  call.native_first = random.chance(0.5);
  const auto other_root = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks)));
  call.root = random.chance(0.5) ? 0 : other_root;
  const std::size_t blocks = scatters ? static_cast<std::size_t>(ranks) : 1;
  const std::size_t bytes = draw_bytes(random, max_bytes) / blocks;
  call.count = std::max<std::size_t>(1, bytes / types[call.type].bytes);
  if (call.function == Function::reduce_scatter) call.counts = draw_counts(random, call.count, ranks);
  call.place = random.bits();
  return call;
}

class Comparison {
 public:
  Comparison(std::uint64_t seed, std::size_t max_bytes, int rank, int ranks)
      : random_(seed), max_bytes_(max_bytes), pools_(max_bytes, seed, rank), rank_(rank), ranks_(ranks) {}

  /// Calls whose results differ on this rank.
  std::int64_t run(std::int64_t calls) {
    std::int64_t different = 0;
    for (int i = 0; i < communicators; ++i) {
      MPI_Comm ours = MPI_COMM_NULL;
      MPI_Comm native = MPI_COMM_NULL;
      MPI_Comm_dup(MPI_COMM_WORLD, &ours);
      MPI_Comm_dup(MPI_COMM_WORLD, &native);
      for (std::int64_t call = calls * i / communicators; call < calls * (i + 1) / communicators; ++call) {
        const Compared drawn = draw(random_, max_bytes_, ranks_);
        if (!is_same(drawn, ours, native) && ++different <= max_messages) say_different(drawn, call);
      }
      MPI_Comm_free(&ours);
      MPI_Comm_free(&native);
    }
    return different;
  }

 private:
  bool is_same(const Compared& call, MPI_Comm ours, MPI_Comm native) {
    const std::size_t count =
        call.counts.empty() ? call.count : static_cast<std::size_t>(call.counts[static_cast<std::size_t>(rank_)]);
    const std::size_t result_bytes = count * types[call.type].bytes;
    const std::byte* const own = pools_.given(call, rank_);
    for (std::vector<std::byte>* const result : {&ours_, &native_}) {
      result->assign(result_bytes, std::byte{0xa5});
      if (call.in_place) std::copy_n(own, result_bytes, result->begin());
    }
    const auto arguments = [&](std::vector<std::byte>& result) {
      return arguments_of(call, call.in_place ? MPI_IN_PLACE : own, result.data());
    };
    const auto make_natively = [&] { make(testing::librarys_functions(), call, arguments(native_), native); };
    if (call.native_first) make_natively();
    make(testing::programs_functions(), call, arguments(ours_), ours);
    if (!call.native_first) make_natively();
    // the standard says nothing of the buffers of ranks that have no result
    const bool has_result = call.function == Function::reduce   ? rank_ == call.root
                            : call.function == Function::exscan ? rank_ > 0
                                                                : true;
    return !has_result || std::memcmp(ours_.data(), native_.data(), result_bytes) == 0;
  }

  void say_different(const Reduction& call, std::int64_t index) const {
    std::fprintf(stderr, "rank %d, call %lld: %s of %zu x %s, %s%s, root %d: other bits than the MPI library's\n",
                 rank_, static_cast<long long>(index), function_names[static_cast<std::size_t>(call.function)],
                 call.count, types[call.type].name, call.product ? "product" : "sum", call.in_place ? " in place" : "",
                 call.root);
  }

  Random random_;
  std::size_t max_bytes_;
  Pools pools_;
  std::vector<std::byte> ours_;
  std::vector<std::byte> native_;
  int rank_;
  int ranks_;
};

int run_test(int argc, char** argv) {
  std::uint64_t seed = 1;
  std::int64_t calls = 10000;
  std::size_t max_bytes = std::size_t{4} << 20U;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0) seed = value;
    if (std::strcmp(argv[i], "--calls") == 0) calls = static_cast<std::int64_t>(value);
    if (std::strcmp(argv[i], "--max-bytes") == 0) max_bytes = value;
  }
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::int64_t different = Comparison(seed, max_bytes, rank, ranks).run(calls);
  std::int64_t all = 0;
  testing::librarys_functions().allreduce(&different, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("--seed %llu: %lld calls, results with other bits, on all ranks: %lld\n",
                static_cast<unsigned long long>(seed), static_cast<long long>(calls), static_cast<long long>(all));
  return all == 0 ? 0 : 1;
}

}  // namespace
}  // namespace airamp::differential

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = airamp::differential::run_test(argc, argv);
  MPI_Finalize();
  return status;
}
