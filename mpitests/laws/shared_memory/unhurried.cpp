// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_unhurried exchanges | broadcasts | freed | left_behind | recurring | closed: communicators on which the
// program makes nothing but calls from which natively some ranks may return before all have come, so that none of them
// can make the first meeting; or, in the last case, the first one behind a meeting that was closed.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

constexpr int root = 0;

/// Each rank sends (sender + receiver) numbers to each other one, as transpositions of uneven pencils do.
void exchange(MPI_Comm comm, int value) {
  const int ranks = size_of(comm);
  const int own = rank_in(comm);
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  std::iota(counts.begin(), counts.end(), own + 1);
  std::vector<int> displacements(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
  const std::size_t all = static_cast<std::size_t>(displacements.back() + counts.back());
  const std::vector<int> sent(all, value * ranks + own);
  std::vector<int> received(all, -1);
  MPI_Alltoallv(sent.data(), counts.data(), displacements.data(), MPI_INT, received.data(), counts.data(),
                displacements.data(), MPI_INT, comm);
  for (int from = 0; from < ranks; ++from) {
    const auto at = static_cast<std::size_t>(from);
    for (int i = 0; i < counts[at]; ++i)
      require(received[static_cast<std::size_t>(displacements[at] + i)] == value * ranks + from, "MPI_Alltoallv");
  }
}

void broadcast(MPI_Comm comm, int value, int from = root) {
  int got = rank_in(comm) == from ? value : -1;
  MPI_Bcast(&got, 1, MPI_INT, from, comm);
  require(got == value, "MPI_Bcast");
}

/// A message of the root, for which the others wait.
void let_others_go_on(MPI_Comm comm) {
  for (int rank = 0; rank_in(comm) == root && rank < size_of(comm); ++rank) {
    if (rank != root) MPI_Send(nullptr, 0, MPI_CHAR, rank, 5, comm);
  }
}

void hear_root(MPI_Comm comm) {
  if (rank_in(comm) != root) MPI_Recv(nullptr, 0, MPI_CHAR, root, 5, comm, MPI_STATUS_IGNORE);
}

/// The root leaves first: the others come when they have a message that it sends afterwards.
void broadcast_ahead(MPI_Comm comm, int value) {
  hear_root(comm);
  broadcast(comm, value);
  let_others_go_on(comm);
}

void exchanges(MPI_Comm comm) {
  for (int i = 0; i < 400; ++i) exchange(comm, i);
}

/// At times the root runs ahead by more calls than the ranks ever vote ahead.
void broadcasts(MPI_Comm comm) {
  for (int i = 0; i < 3000; ++i) {
    if (i % 100 == 7) {
      broadcast_ahead(comm, i);
    } else {
      broadcast(comm, i);
    }
  }
}

/// Communicators that end while their first meeting is being made.
void freed(MPI_Comm comm) {
  for (int calls = 40; calls < 60; ++calls) {
    MPI_Comm short_lived = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &short_lived);
    for (int i = 0; i < calls; ++i) broadcast(short_lived, i);
    MPI_Comm_free(&short_lived);
  }
}

/// The root makes all of its calls and frees the communicator before others have made one.
void left_behind(MPI_Comm comm) {
  for (int turn = 0; turn < 3; ++turn) {
    MPI_Comm short_lived = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &short_lived);
    hear_root(comm);
    for (int i = 0; i < 60; ++i) broadcast(short_lived, i);
    MPI_Comm_free(&short_lived);
    let_others_go_on(comm);
  }
}

/// Communicators of the same ranks, in one order and another, follow each other; at times two live at once, and are
/// freed in one order or another. Roots take turns, so that no rank is far ahead, or are one, which may be.
void recurring(MPI_Comm comm) {
  const int rank = rank_in(comm);
  const auto new_communicator = [&](bool reversed) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(comm, 0, reversed ? -rank : rank, &made);
    return made;
  };
  for (int turn = 0; turn < 24; ++turn) {
    const int calls = 40 + 30 * (turn % 5);
    MPI_Comm one = new_communicator(turn % 4 == 3);
    MPI_Comm other = turn % 3 == 1 ? new_communicator(false) : MPI_COMM_NULL;
    for (int i = 0; i < calls; ++i) {
      broadcast(one, turn * calls + i, turn % 2 == 0 ? i % size_of(one) : root);
      if (other != MPI_COMM_NULL) broadcast(other, -i);
    }
    if (turn % 2 == 0) std::swap(one, other);
    for (MPI_Comm* const made : {&one, &other}) {
      if (*made != MPI_COMM_NULL) MPI_Comm_free(made);
    }
  }
}

void gather(MPI_Comm comm, int value) {
  const int sent = value + rank_in(comm);
  std::vector<int> received(static_cast<std::size_t>(size_of(comm)), -1);
  MPI_Gather(&sent, 1, MPI_INT, received.data(), 1, MPI_INT, root, comm);
  for (int rank = 0; rank_in(comm) == root && rank < size_of(comm); ++rank)
    require(received[static_cast<std::size_t>(rank)] == value + rank, "MPI_Gather");
}

/// The root comes so late to one of many gathers that the others go on, as they do natively. Messages keep the ranks in
/// step: behind it they come to meet again without a call in which all wait for all.
void closed(MPI_Comm comm) {
  constexpr int calls = 1200;
  constexpr int late_call = 200;
  MPI_Barrier(comm);
  for (int i = 0; i < calls; ++i) {
    if (rank_in(comm) == root && i == late_call) sleep(1);
    gather(comm, i);
    hear_root(comm);
    let_others_go_on(comm);
  }
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  using namespace airamp::laws;
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "exchanges") exchanges(comm);
  if (what == "broadcasts") broadcasts(comm);
  if (what == "freed") freed(comm);
  if (what == "left_behind") left_behind(comm);
  if (what == "recurring") recurring(comm);
  if (what == "closed") closed(comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return what.empty() ? 2 : 0;
}
