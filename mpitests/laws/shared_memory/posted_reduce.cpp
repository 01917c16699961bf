// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_posted_reduce: short reduces to which all but the root leave their contributions and go on.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t longest = 300;  // longer than what is left for a root

std::int64_t number(int rank, int round, std::size_t i) {
  return 1000003 * static_cast<std::int64_t>(rank + 1) + 101 * round + static_cast<std::int64_t>(i);
}

/// A sum of integers, or of floating-point numbers that are whole, so that it is exact.
template <class Number>
void sum(int root, int round, std::size_t count, MPI_Comm communicator) {
  const MPI_Datatype type = std::is_integral_v<Number> ? MPI_INT64_T : MPI_DOUBLE;
  const int rank = rank_in(communicator);
  std::vector<Number> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<Number>(number(rank, round, i));
  if (rank != root) {
    MPI_Reduce(values.data(), nullptr, static_cast<int>(count), type, MPI_SUM, root, communicator);
    return;
  }
  std::vector<Number> result(count + 1, Number{-1});
  const bool in_place = root == 0 && round % 2 == 0;  // MPICH 4.0 by itself crashes with other roots
  if (in_place) std::copy(values.begin(), values.end(), result.begin());
  MPI_Reduce(in_place ? MPI_IN_PLACE : values.data(), result.data(), static_cast<int>(count), type, MPI_SUM, root,
             communicator);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t expected = 0;
    for (int other = 0; other < size_of(communicator); ++other) expected += number(other, round, i);
    require(result[i] == static_cast<Number>(expected), "a sum of all contributions to this call");
  }
  require(result[count] == Number{-1}, "nothing behind the result");
}

/// The ranks agree on calls of lengths that can be posted.
void agree(MPI_Comm communicator, std::size_t most) {
  for (int i = 0; i < 3; ++i) {
    for (std::size_t count = 1; count <= most; count *= 4) {
      for (int root = 0; root < size_of(communicator); ++root) {
        sum<std::int64_t>(root, i, count, communicator);
        sum<double>(root, i, count, communicator);
      }
    }
  }
}

/// Any length and root, between other collectives.
void any_lengths(MPI_Comm communicator) {
  std::mt19937 random(7);  // the same on all ranks
  for (int round = 0; round < 500; ++round) {
    const int root = static_cast<int>(random() % static_cast<unsigned>(size_of(communicator)));
    const bool is_short = random() % 4 != 0;
    const std::size_t count = random() % (is_short ? 4 : longest);
    if (random() % 2 == 0) {
      sum<std::int64_t>(root, round, count, communicator);
    } else {
      sum<double>(root, round, count, communicator);
    }
    if (random() % 50 == 0) MPI_Barrier(communicator);
  }
}

/// The others do many calls before the root comes, which waits for messages that they send afterwards.
void far_ahead(int root, MPI_Comm communicator) {
  constexpr int ahead = 100;
  const int ranks = size_of(communicator);
  const bool is_root = rank_in(communicator) == root;
  for (int rank = 0; is_root && rank < ranks; ++rank) {
    if (rank != root) MPI_Recv(nullptr, 0, MPI_CHAR, rank, 3, communicator, MPI_STATUS_IGNORE);
  }
  for (int round = 0; round < ahead; ++round) {
    sum<std::int64_t>(root, round, std::size_t{1} << 2 * (round % 4), communicator);  // as agreed on
  }
  if (!is_root) MPI_Send(nullptr, 0, MPI_CHAR, root, 3, communicator);
}

/// The root is late now and then, so that the others are at later calls when it comes.
void be_late(int rank, std::mt19937& random) {
  if (rank == 0 && random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
}

/// One call in which the root has twice as many numbers as the others.
void give_more(std::size_t count, MPI_Comm communicator) {
  const std::size_t own = rank_in(communicator) == 0 ? 2 * count : count;
  const std::vector<double> values(own, 1.0);
  std::vector<double> result(own);
  MPI_Reduce(values.data(), result.data(), static_cast<int>(own), MPI_DOUBLE, MPI_SUM, 0, communicator);
}

/// A root that gives more than the others, which MPI does not allow and its libraries do not mind, whatever they add
/// then: nobody waits for ever, and the sums of the calls between are right.
void root_has_more() {
  constexpr int before = 2000;  // until it is decided how calls go
  constexpr std::size_t count = 20;
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  for (int round = 0; round < before; ++round) sum<double>(0, round, count, all);
  const int rank = rank_in(all);
  std::mt19937 random(0);
  for (int round = 0; round < 120; ++round) {
    be_late(rank, random);
    give_more(count, all);
    for (int i = 0; i < round % 3; ++i) {
      be_late(rank, random);
      sum<double>(0, round, count, all);
    }
  }
  MPI_Comm_free(&all);
}

#if defined(OPEN_MPI)

/// The same, when the others have made many calls since, of both kinds: those for which there was no room, and those
/// that are too long to be left anywhere. (MPICH by itself has them wait for the root.)
void root_has_more_later() {
  constexpr std::size_t count = 16;
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  agree(all, 4 * count);
  const bool is_root = rank_in(all) == 0;
  for (int rank = 1; is_root && rank < size_of(all); ++rank) {
    MPI_Recv(nullptr, 0, MPI_CHAR, rank, 4, all, MPI_STATUS_IGNORE);
  }
  for (int round = 0; round < 20; ++round) sum<double>(0, round, count, all);
  give_more(count, all);
  for (int round = 0; round < 20; ++round) sum<double>(0, round, longest, all);
  sum<double>(0, 0, count, all);
  if (!is_root) MPI_Send(nullptr, 0, MPI_CHAR, 0, 4, all);
  for (int round = 0; round < 20; ++round) sum<double>(0, round, count, all);
  MPI_Comm_free(&all);
}

#endif

/// A call that the MPI library refuses, and that the rank makes once more, is one call.
void refused_on_one_rank() {
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
  agree(all, 4);
  for (int round = 0; round < 40; ++round) {
    if (rank_in(all) == round % size_of(all)) {
      const double own = 1;
      double result = 0;
      const auto refused = [&](MPI_Datatype type, MPI_Op op, int root) {
        return MPI_Reduce(&own, &result, 1, type, op, root, all) != MPI_SUCCESS;
      };
      require(refused(MPI_DOUBLE, MPI_OP_NULL, 0) && refused(MPI_DATATYPE_NULL, MPI_SUM, 0) &&
                  refused(MPI_DOUBLE, MPI_SUM, size_of(all)) && refused(MPI_DOUBLE, MPI_SUM, MPI_UNDEFINED),
              "the MPI library refuses them");
    }
    sum<double>(0, round, 4, all);
    sum<double>(0, round, longest, all);
  }
  MPI_Comm_free(&all);
}

/// The others free a communicator while the root has not taken what they left there.
void freed_early() {
  for (int i = 0; i < 8; ++i) {
    MPI_Comm all = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    agree(all, 1);
    if (rank_in(all) == 0) std::this_thread::sleep_for(std::chrono::microseconds(100 * i));
    for (int round = 0; round < 20; ++round) sum<double>(0, round, 1, all);
    MPI_Comm_free(&all);
  }
}

/// MPI_Pcontrol is each rank's own.
void switched_off() {
  for (const int off : {0, 1}) {
    for (const bool alone : {true, false}) {
      const bool mine = !alone || rank_in(MPI_COMM_WORLD) == off;
      if (mine) MPI_Pcontrol(0);
      for (int round = 0; round < 50; ++round) {
        sum<double>(round % 3 == 0 ? 1 : 0, round, 3, MPI_COMM_WORLD);
        if (round % 10 == 9) MPI_Barrier(MPI_COMM_WORLD);
      }
      if (mine) MPI_Pcontrol(1);
      for (int round = 0; round < 50; ++round) {
        sum<double>(round % 3 == 0 ? 1 : 0, round, 3, MPI_COMM_WORLD);
        if (round % 10 == 9) MPI_Barrier(MPI_COMM_WORLD);
      }
    }
  }
}

}  // namespace

void run() {
  on_communicators([&](MPI_Comm communicator) {
    agree(communicator, 256);
    any_lengths(communicator);
  });
  // the second time all know from the first how such calls go: perhaps that they stay native
  for (int i = 0; i < 4; ++i) root_has_more();
#if defined(OPEN_MPI)
  root_has_more_later();
#endif
  refused_on_one_rank();
  freed_early();
  switched_off();
  for (int root = 0; root < size_of(MPI_COMM_WORLD); ++root) {
    far_ahead(root, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    any_lengths(MPI_COMM_WORLD);
  }
}

}  // namespace airamp::laws
