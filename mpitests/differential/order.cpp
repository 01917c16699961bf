// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Random sums and products of floating-point numbers, and one number that stands for every bit of every result, which
// rank 0 prints:
//   differential_order [--seed N] [--calls N] [--rounds N] [--layout straight|reversed|in-turns] [--delays N]
// With AIRAMP_REDUCTION_ORDER=fixed or exact it follows from the first two and the number of ranks alone. A round makes
// the same calls on a new communicator, and prints its own number. A layout says which process is which rank of the
// communicators, and on which cores the ranks run: each on one of its own as far as there are such, wherever the system
// wants them, or all on one. In every round ranks come late otherwise: `--delays` is the seed.
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "mpitests/differential/reduction.hpp"
#include "testing/mpi_functions.hpp"

namespace airamp::differential {
namespace {

struct Options {
  std::uint64_t seed = 1;
  int calls = 100;
  int rounds = 1;
  std::string_view layout = "straight";
  std::uint64_t delays = 1;
};

constexpr std::size_t max_bytes = std::size_t{256} << 10U;  // of one rank's contribution to a call

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

/// The `number`th of the cores that this process may run on, in turns, and no other.
void stay_on_core(int number) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  int skipped = number % CPU_COUNT(&allowed);
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed) || skipped-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof(one), &one);
    return;
  }
}

/// All processes, in another order of ranks: on several hosts that are filled one by one, "in-turns" has neighbours on
/// different ones.
MPI_Comm lay_out(std::string_view layout) {
  const int process = rank_in(MPI_COMM_WORLD);
  const int processes = size_of(MPI_COMM_WORLD);
  int key = process;
  if (layout == "straight") stay_on_core(process);
  if (layout == "reversed") key = processes - process;
  if (layout == "in-turns") {
    const int half = (processes + 1) / 2;
    key = process < half ? 2 * process : 2 * (process - half) + 1;
    stay_on_core(0);
  }
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, key, &comm);
  return comm;
}

/// Between 8 bytes and the most, evenly by their logarithm. By whole numbers alone, which no library rounds otherwise.
std::size_t draw_bytes(Random& random) {
  constexpr auto doublings = static_cast<std::uint64_t>(std::countr_zero(max_bytes / 8));
  const std::size_t bytes = std::size_t{8} << random.below(doublings);
  return bytes + random.below(bytes);
}

Reduction draw(Random& random, int ranks) {
  Reduction call;
  call.function = static_cast<Function>(random.below(functions_of_promised_order));
  call.type = random.below(types.size());
  call.product = random.chance(0.25) && types[call.type].has_products();
  call.in_place = random.chance(0.25) && call.function != Function::reduce_scatter_block;
  call.root = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks)));
  const std::size_t blocks = call.function == Function::reduce_scatter_block ? static_cast<std::size_t>(ranks) : 1;
  call.count = std::max<std::size_t>(1, draw_bytes(random) / blocks / types[call.type].bytes);
  call.place = random.bits();
  return call;
}

/// FNV-1a.
class Hash {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* const begin = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) value_ = (value_ ^ begin[i]) * 0x100000001b3U;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

void come_late(Random& delays) {
  if (delays.chance(0.7)) return;
  std::this_thread::sleep_for(std::chrono::microseconds(delays.below(300)));
}

/// Of the results that this rank gets.
std::uint64_t hash_of_results(const Options& options, const Pools& pools, Random& delays, MPI_Comm comm) {
  const int rank = rank_in(comm);
  Random random(options.seed);
  Hash hash;
  std::vector<std::byte> result;
  for (int i = 0; i < options.calls; ++i) {
    const Reduction call = draw(random, size_of(comm));
    const std::size_t bytes = call.count * types[call.type].bytes;
    const std::byte* const own = pools.given(call, rank);
    const bool has_result = call.function != Function::reduce || rank == call.root;
    result.assign(bytes, std::byte{0});
    const bool in_place = call.in_place && has_result;
    if (in_place) std::copy_n(own, bytes, result.begin());
    come_late(delays);
    make(testing::programs_functions(), call, arguments_of(call, in_place ? MPI_IN_PLACE : own, result.data()), comm);
    if (has_result) hash.add(result.data(), bytes);
  }
  return hash.value();
}

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0) options.seed = value;
    if (std::strcmp(argv[i], "--calls") == 0) options.calls = static_cast<int>(value);
    if (std::strcmp(argv[i], "--rounds") == 0) options.rounds = static_cast<int>(value);
    if (std::strcmp(argv[i], "--layout") == 0) options.layout = argv[i + 1];
    if (std::strcmp(argv[i], "--delays") == 0) options.delays = value;
  }
  return options;
}

/// Rank 0 prints what stands for the results of all ranks.
void print(std::uint64_t own, MPI_Comm comm) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(size_of(comm)));
  MPI_Gather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, 0, comm);
  if (rank_in(comm) != 0) return;
  Hash hash;
  hash.add(all.data(), all.size() * sizeof(std::uint64_t));
  std::printf("all bits: %016llx\n", static_cast<unsigned long long>(hash.value()));
}

void run(const Options& options) {
  MPI_Comm ranks = lay_out(options.layout);
  const Pools pools(max_bytes, options.seed, rank_in(ranks));
  Random delays(mix(options.delays) + static_cast<std::uint64_t>(rank_in(ranks)));
  for (int round = 0; round < options.rounds; ++round) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(ranks, &comm);
    print(hash_of_results(options, pools, delays, comm), comm);
    MPI_Comm_free(&comm);
  }
  MPI_Comm_free(&ranks);
}

}  // namespace
}  // namespace airamp::differential

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::differential::run(airamp::differential::options_of(argc, argv));
  MPI_Finalize();
  return 0;
}
