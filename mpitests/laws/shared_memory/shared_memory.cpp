// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory: what goes through the memory of the host has every bit of the MPI library's own results: sums and
// products of numbers whose result depends on the order of the additions, and reductions of integers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/laws/shared_memory/sums_of_ranks.hpp"

namespace airamp::laws {
namespace {

template <class T>
std::vector<T> reduce(const std::vector<T>& in, MPI_Datatype type, MPI_Op op, bool in_place, MPI_Comm communicator) {
  std::vector<T> out = in_place ? in : std::vector<T>(in.size());
  MPI_Allreduce(in_place ? MPI_IN_PLACE : in.data(), out.data(), static_cast<int>(in.size()), type, op, communicator);
  return out;
}

template <class T>
void compare(MPI_Datatype type, MPI_Op op, std::size_t count, std::mt19937_64& random, MPI_Comm communicator) {
  const std::vector<T> in = numbers<T>(count, random, op == MPI_PROD);
  if (!has_native_bits<T>(op)) return;
  MPI_Pcontrol(0);
  const std::vector<T> native = reduce(in, type, op, false, communicator);
  MPI_Pcontrol(1);
  for (const bool in_place : {false, true, false}) {
    const std::vector<T> seen = reduce(in, type, op, in_place, communicator);
    const bool equal = count == 0 || std::memcmp(seen.data(), native.data(), count * sizeof(T)) == 0;
    if (!equal) std::fprintf(stderr, "%zu elements of %zu bytes, in place: %d\n", count, sizeof(T), in_place ? 1 : 0);
    require(equal, "every bit of the native result");
  }
}

template <class T>
void compare_all(MPI_Datatype type, std::mt19937_64& random, MPI_Comm communicator) {
  for (const std::size_t count : {0U, 1U, 1023U, 1024U, 1025U, 4099U, 65536U, 300007U}) {
    for (const MPI_Op op : {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN}) compare<T>(type, op, count, random, communicator);
  }
}

/// Blocks of every length, none at all among them, in place and not, and one that lies before the others.
void gather(std::size_t longest, MPI_Comm communicator) {
  const int rank = rank_in(communicator);
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  std::vector<int> counts;
  std::vector<int> places;
  int next = 3;
  for (int i = 0; i < ranks; ++i) {
    counts.push_back(static_cast<int>(i == 1 ? 0 : longest - static_cast<std::size_t>(i) * (longest / 16)));
    places.push_back(next);
    next += counts.back() + 5;
  }
  std::swap(places.front(), places.back());
  places.front() = next;
  std::vector<char> own(longest);
  for (std::size_t i = 0; i < longest; ++i) own[i] = static_cast<char>(rank * 31 + static_cast<int>(i % 97));
  const auto size = static_cast<std::size_t>(next) + longest + 7;
  for (const bool in_place : {false, true}) {
    std::vector<char> native(size, 'x');
    std::copy_n(own.begin(), counts[static_cast<std::size_t>(rank)],
                native.begin() + places[static_cast<std::size_t>(rank)]);
    std::vector<char> seen = native;
    std::vector<char> equal_blocks(longest * static_cast<std::size_t>(ranks), 'y');
    const auto run = [&](std::vector<char>& all) {
      MPI_Allgatherv(in_place ? MPI_IN_PLACE : own.data(), counts[static_cast<std::size_t>(rank)], MPI_CHAR, all.data(),
                     counts.data(), places.data(), MPI_CHAR, communicator);
    };
    MPI_Pcontrol(0);
    run(native);
    MPI_Pcontrol(1);
    run(seen);
    require(seen == native, "every byte of a native allgatherv, and nothing beside the blocks");
    MPI_Allgather(own.data(), static_cast<int>(longest), MPI_CHAR, equal_blocks.data(), static_cast<int>(longest),
                  MPI_CHAR, communicator);
    for (int from = 0; from < ranks; ++from) {
      for (std::size_t i = 0; i < longest; ++i) {
        require(equal_blocks[static_cast<std::size_t>(from) * longest + i] ==
                    static_cast<char>(from * 31 + static_cast<int>(i % 97)),
                "every byte of an allgather");
      }
    }
  }
}

#if defined(OPEN_MPI)

/// The ranks have room for more than they send: a mistake that Open MPI does not see. Whether a rank has as much to be
/// read, nobody knows; and behind what it sends the others keep what they have.
void gather_with_room(std::size_t count, std::size_t room, MPI_Comm communicator) {
  const int ranks = size_of(communicator);
  const std::vector<int> own(count, rank_in(communicator));
  const std::vector<int> counts(static_cast<std::size_t>(ranks), static_cast<int>(room));
  std::vector<int> places;
  std::vector<int> expected;
  for (int from = 0; from < ranks; ++from) {
    places.push_back(static_cast<int>(expected.size()));
    expected.insert(expected.end(), count, from);
    expected.insert(expected.end(), room - count, -1);
  }
  std::vector<int> all(expected.size(), -1);
  MPI_Allgatherv(own.data(), static_cast<int>(count), MPI_INT, all.data(), counts.data(), places.data(), MPI_INT,
                 communicator);
  require(all == expected, "what all send in an allgatherv, and nothing behind it");
  all.assign(all.size(), -1);
  MPI_Allgather(own.data(), static_cast<int>(count), MPI_INT, all.data(), static_cast<int>(room), MPI_INT,
                communicator);
  require(all == expected, "what all send in an allgather, and nothing behind it");
}

#endif

/// A NaN or an infinity of one rank's is in everybody's result, and only there.
void keep_poison(MPI_Comm communicator) {
  constexpr std::size_t count = 10000;
  std::vector<double> in(count, 1.0);
  if (rank_in(communicator) == 0) {
    in[17] = std::numeric_limits<double>::quiet_NaN();
    in[9000] = std::numeric_limits<double>::infinity();
  }
  for (int round = 0; round < 3; ++round) {
    const std::vector<double> sum = reduce(in, MPI_DOUBLE, MPI_SUM, false, communicator);
    require(std::isnan(sum[17]) && std::isinf(sum[9000]), "what is no number stays none");
    require(std::count_if(sum.begin(), sum.end(), [](double x) { return !std::isfinite(x); }) == 2, "and nothing else");
  }
}

/// With random lengths, of which the MPI library may not be asked for all.
void many_lengths(std::mt19937_64& random, MPI_Comm communicator) {
  for (int i = 0; i < 150; ++i) compare<double>(MPI_DOUBLE, MPI_SUM, 512 + random() % 20000, random, communicator);
}

}  // namespace

void run() {
  std::mt19937_64 lengths(7);  // drawn alike on all ranks
  std::mt19937_64 random(100 + static_cast<unsigned>(rank_in(MPI_COMM_WORLD)));
  MPI_Comm odd_or_even = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) % 2, -rank_in(MPI_COMM_WORLD), &odd_or_even);
  for (const MPI_Comm communicator : {MPI_COMM_WORLD, odd_or_even}) {
    compare_all<double>(MPI_DOUBLE, random, communicator);
    compare_all<float>(MPI_FLOAT, random, communicator);
    compare_all<std::int32_t>(MPI_INT32_T, random, communicator);
    compare_all<std::uint64_t>(MPI_UINT64_T, random, communicator);
    keep_poison(communicator);
    for (const std::size_t longest : {1U, 16U, 4096U, 4097U, 262144U, 600001U}) {
      for (int round = 0; round < 2; ++round) gather(longest, communicator);
    }
#if defined(OPEN_MPI)
    for (int round = 0; round < 60; ++round) gather_with_room(4, round % 3 == 0 ? 9 : 4, communicator);
    gather_with_room(3000, 3001, communicator);
#endif
  }
  MPI_Comm_free(&odd_or_even);
  for (int i = 0; i < 20; ++i) {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    compare<double>(MPI_DOUBLE, MPI_SUM, 5000, random, communicator);
    MPI_Comm_free(&communicator);
  }
  std::mt19937_64 alike = lengths;
  many_lengths(alike, MPI_COMM_WORLD);
}

}  // namespace airamp::laws
