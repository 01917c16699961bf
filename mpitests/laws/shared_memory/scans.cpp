// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_scans: scans, exclusive ones, and reductions that are scattered in blocks of any length, through the
// memory of the host: what arithmetic says of whole numbers, and the MPI library's own bits of all others.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/laws/shared_memory/sums_of_ranks.hpp"

namespace airamp::laws {
namespace {

template <class T>
bool equal(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T>
std::vector<T> scan(const std::vector<T>& in, bool exclusive, MPI_Datatype type, MPI_Op op, bool in_place,
                    MPI_Comm communicator) {
  std::vector<T> out = in_place ? in : std::vector<T>(in.size(), T{17});
  const auto function = exclusive ? MPI_Exscan : MPI_Scan;
  function(in_place ? MPI_IN_PLACE : in.data(), out.data(), static_cast<int>(in.size()), type, op, communicator);
  return out;
}

void scan_of_integers(std::size_t count, MPI_Op op, MPI_Comm communicator) {
  static unsigned call = 0;
  const int rank = rank_in(communicator);
  const std::vector<std::int64_t> in = numbers_of<std::int64_t>(rank, ++call, count, op);
  for (const bool in_place : {false, true}) {
    const std::vector<std::int64_t> all = reduction_of<std::int64_t>(rank + 1, call, count, op);
    require(scan(in, false, MPI_INT64_T, op, in_place, communicator) == all, "a scan");
    const std::vector<std::int64_t> before = scan(in, true, MPI_INT64_T, op, in_place, communicator);
    // what the first rank gets is not defined
    require(rank == 0 || before == reduction_of<std::int64_t>(rank, call, count, op), "an exclusive scan");
  }
}

/// Their order is the MPI library's affair.
void scan_of_reals(std::size_t count, MPI_Comm communicator) {
  static unsigned call = 0;
  if (!library_keeps_an_order()) return;
  const std::vector<double> in = numbers_of<double>(rank_in(communicator), ++call, count, MPI_SUM);
  MPI_Pcontrol(0);
  const std::vector<double> native = scan(in, false, MPI_DOUBLE, MPI_SUM, false, communicator);
  MPI_Pcontrol(1);
  require(equal(scan(in, false, MPI_DOUBLE, MPI_SUM, false, communicator), native), "every bit of a native scan");
}

/// Only what lies in no gap of the pair.
void scan_of_pairs(MPI_Comm communicator) {
  struct Pair {
    double value;
    int index;
  };
  const int rank = rank_in(communicator);
  std::vector<Pair> in(5);
  std::vector<Pair> out(5);
  std::memset(static_cast<void*>(in.data()), 0x11, in.size() * sizeof(Pair));
  std::memset(static_cast<void*>(out.data()), 0x22, out.size() * sizeof(Pair));
  std::vector<Pair> expected = out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i].value = rank % 3;
    in[i].index = rank;
    expected[i].value = std::min(rank, 2);
    expected[i].index = std::min(rank, 2);
  }
  MPI_Scan(in.data(), out.data(), 5, MPI_DOUBLE_INT, MPI_MAXLOC, communicator);
  require(equal(out, expected), "the largest so far, where it first was, and no gap");
}

/// Blocks of every length, none among them.
std::vector<int> counts_of(std::size_t longest, int ranks, int round) {
  std::vector<int> counts;
  for (int rank = 0; rank < ranks; ++rank) {
    const int part = (rank * 5 + round) % 4;
    counts.push_back(part == 0 ? static_cast<int>(longest) : static_cast<int>(longest) * (part - 1) / 3);
  }
  return counts;
}

template <class T>
std::vector<T> reduce_scatter(const std::vector<T>& in, const std::vector<int>& counts, MPI_Datatype type, MPI_Op op,
                              bool in_place, MPI_Comm communicator) {
  const auto own = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank_in(communicator))]);
  std::vector<T> out = in_place ? in : std::vector<T>(own);
  MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : in.data(), out.data(), counts.data(), type, op, communicator);
  out.resize(own);
  return out;
}

void reduce_scatter_of_integers(std::size_t longest, MPI_Op op, MPI_Comm communicator) {
  static unsigned call = 500;
  const auto rank = static_cast<std::size_t>(rank_in(communicator));
  const std::vector<int> counts = counts_of(longest, size_of(communicator), static_cast<int>(++call));
  const auto all = static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0));
  const auto first = std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(rank), 0);
  const std::vector<std::int32_t> in = numbers_of<std::int32_t>(static_cast<int>(rank), call, all, op);
  const std::vector<std::int32_t> whole = reduction_of<std::int32_t>(size_of(communicator), call, all, op);
  const std::vector<std::int32_t> expected(whole.begin() + first, whole.begin() + first + counts[rank]);
  for (const bool in_place : {false, library_scatters_in_place()}) {
    require(reduce_scatter(in, counts, MPI_INT32_T, op, in_place, communicator) == expected, "this rank's block");
  }
}

void reduce_scatter_of_reals(const std::vector<int>& counts, MPI_Comm communicator) {
  static unsigned call = 900;
  if (!library_keeps_an_order()) return;
  const auto all = static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0));
  const std::vector<float> in = numbers_of<float>(rank_in(communicator), ++call, all, MPI_SUM);
  MPI_Pcontrol(0);
  const std::vector<float> native = reduce_scatter(in, counts, MPI_FLOAT, MPI_SUM, false, communicator);
  MPI_Pcontrol(1);
  require(equal(reduce_scatter(in, counts, MPI_FLOAT, MPI_SUM, false, communicator), native),
          "every bit of a native block");
}

/// Results of a scan, while the root of what follows lays out for all others already.
void scan_before_scatter(int count, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  const auto elements = static_cast<std::size_t>(count);
  const std::vector<std::int64_t> in = numbers_of<std::int64_t>(rank, 1, elements, MPI_MAX);
  const std::vector<std::int64_t> all = reduction_of<std::int64_t>(rank + 1, 1, elements, MPI_MAX);
  const std::vector<std::int64_t> blocks(elements * static_cast<std::size_t>(size_of(communicator)), -1);
  std::vector<std::int64_t> out(elements);
  std::vector<std::int64_t> block(elements);
  for (int root = 0; root < size_of(communicator); ++root) {
    MPI_Scan(in.data(), out.data(), count, MPI_INT64_T, MPI_MAX, communicator);
    MPI_Scatter(blocks.data(), count, MPI_INT64_T, block.data(), count, MPI_INT64_T, root, communicator);
    require(out == all, "a scan, and nothing of what follows");
    require(std::count(block.begin(), block.end(), -1) == count, "what follows a scan");
  }
}

#if defined(OPEN_MPI)

/// Among scans of the two lengths, of which one may be native and the other not, some where the first rank has only as
/// many numbers as the shorter one: a mistake that Open MPI does not see, whose ranks wait for the one below them
/// alone.
void first_rank_adds_less(MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t length = round % 2 == 0 ? 1 : 500;
    const std::size_t own = round % 7 == 0 && rank == 0 ? 1 : length;
    const std::vector<std::int64_t> in(own, rank + round);
    const std::vector<std::int64_t> sums = scan(in, false, MPI_INT64_T, MPI_SUM, false, communicator);
    const std::int64_t expected = static_cast<std::int64_t>(rank + 1) * round + rank * (rank + 1) / 2;
    require(sums.front() == expected, "the sum of what all have");
  }
}

#endif

}  // namespace

void run() {
  on_communicators([](MPI_Comm communicator) {
    for (const std::size_t count : {0U, 1U, 13U, 511U, 512U, 513U, 32768U, 100003U}) {
      for (const MPI_Op op : {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN}) {
        scan_of_integers(count, op, communicator);
        reduce_scatter_of_integers(count, op, communicator);
      }
      scan_of_reals(count, communicator);
      const int ranks = size_of(communicator);
      reduce_scatter_of_reals(counts_of(count, ranks, static_cast<int>(count)), communicator);
      // of blocks of one length the MPI library is asked for the order of each
      const std::vector<int> even(static_cast<std::size_t>(ranks), static_cast<int>(count));
      for (int turn = 0; turn < 3; ++turn) reduce_scatter_of_reals(even, communicator);
    }
    scan_of_pairs(communicator);
  });
  for (int i = 0; i < 200; ++i) scan_of_integers(static_cast<std::size_t>(i % 5), MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 200; ++i) scan_before_scatter(i % 2 == 0 ? 1024 : 16384, MPI_COMM_WORLD);
#if defined(OPEN_MPI)
  first_rank_adds_less(MPI_COMM_WORLD);
#endif
}

}  // namespace airamp::laws
