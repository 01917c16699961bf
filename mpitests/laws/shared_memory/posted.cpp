// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_posted: short broadcasts and scatters whose roots leave them for the others.
#include <mpi.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <random>
#include <thread>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/posted_calls.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t longest = 9000;  // longer than what is left for others

/// Broadcasts, scatters of blocks of one length or of any, or one and then the other.
using Movement = void (*)(int root, int round, std::size_t bytes, MPI_Comm communicator);

void either(int root, int round, std::size_t bytes, MPI_Comm communicator) {
  (round % 4 == 0 ? broadcast : round % 4 == 1 ? scatter : scatterv)(root, round, bytes, communicator);
}

constexpr std::array<Movement, 4> movements = {broadcast, scatter, scatterv, either};

void sum(MPI_Comm communicator) {
  int one = 1;
  int ranks = 0;
  MPI_Allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, communicator);
  require(ranks == size_of(communicator), "a sum");
}

/// Any length and root, between other collectives.
void any_lengths(Movement move, MPI_Comm communicator, int rounds) {
  std::mt19937 random(7);  // the same on all ranks
  for (int round = 0; round < rounds; ++round) {
    const int root = static_cast<int>(random() % static_cast<unsigned>(size_of(communicator)));
    const bool is_short = random() % 4 != 0;
    move(root, round, random() % (is_short ? 100 : longest), communicator);
    if (random() % 50 == 0) sum(communicator);
  }
}

/// How many calls a root may be ahead of the others: in Open MPI as many as it may send short messages that nobody
/// receives, in MPICH at times none.
#if defined(OPEN_MPI)
constexpr int ahead = 300;
#else
constexpr int ahead = 0;
#endif

/// The root does many calls before the others come, which wait for a message that it sends afterwards.
void far_ahead(Movement move, int root, MPI_Comm communicator) {
  const bool leads = rank_in(communicator) == root;
  if (!leads) MPI_Recv(nullptr, 0, MPI_CHAR, root, 3, communicator, MPI_STATUS_IGNORE);
  for (int round = 0; round < ahead; ++round) {
    move(root, round, static_cast<std::size_t>(1 + round % 60), communicator);
  }
  if (!leads) return;
  for (int rank = 0; rank < size_of(communicator); ++rank) {
    if (rank != root) MPI_Send(nullptr, 0, MPI_CHAR, rank, 3, communicator);
  }
}

/// The root frees a communicator while others have not taken what it left there.
void freed_early(Movement move) {
  for (int i = 0; i < 20; ++i) {
    const Duplicate all;
    if (rank_in(all.get()) != 0) std::this_thread::sleep_for(std::chrono::microseconds(100 * i));
    for (int round = 0; round < 5; ++round) move(0, round, 8, all.get());
  }
}

/// MPI_Pcontrol is each rank's own.
void switched_off(Movement move) {
  for (const int off : {0, 1}) {
    if (rank_in(MPI_COMM_WORLD) == off) MPI_Pcontrol(0);
    for (int round = 0; round < 100; ++round) move(round % 3 == 0 ? 1 : 0, round, 24, MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == off) MPI_Pcontrol(1);
  }
}

}  // namespace

void run() {
  on_communicators([&](MPI_Comm communicator) {
    agree(communicator);
    for (const Movement move : movements) any_lengths(move, communicator, 2000);
  });
  int root = 0;  // of each movement another one
  for (const Movement move : movements) {
    freed_early(move);
    switched_off(move);
    const Duplicate all;
    far_ahead(move, root, all.get());
    sum(all.get());
    any_lengths(move, all.get(), 200);
    root = (root + 1) % size_of(all.get());
  }
}

}  // namespace airamp::laws
