// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_apart: ranks that leave a collective with a root while others have not come, and whom those wait for
// elsewhere before they come. MPI does not promise that it works; MPI libraries let short calls, and programs rely on
// it.
#include <mpi.h>

#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

constexpr int root = 0;

bool is_root() { return rank_in(MPI_COMM_WORLD) == root; }
int ranks() { return size_of(MPI_COMM_WORLD); }

void send_token(int to) { MPI_Send(nullptr, 0, MPI_CHAR, to, 5, MPI_COMM_WORLD); }
void take_token(int from) { MPI_Recv(nullptr, 0, MPI_CHAR, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

/// The root leaves first: the others come when they have a message that it sends afterwards.
void root_leaves_first(const std::function<void()>& collective) {
  if (!is_root()) take_token(root);
  collective();
  if (!is_root()) return;
  for (int rank = 0; rank < ranks(); ++rank) {
    if (rank != root) send_token(rank);
  }
}

/// The root comes last: when it has a message of every other rank, which they send when they have left.
void root_comes_last(const std::function<void()>& collective) {
  if (is_root()) {
    for (int rank = 0; rank < ranks(); ++rank) {
      if (rank != root) take_token(rank);
    }
  }
  collective();
  if (!is_root()) send_token(root);
}

void broadcast(long value) {
  long got = is_root() ? value : 0;
  MPI_Bcast(&got, 1, MPI_LONG, root, MPI_COMM_WORLD);
  require(got == value, "MPI_Bcast");
}

void scatter(long value) {
  std::vector<long> all(static_cast<std::size_t>(ranks()));
  std::iota(all.begin(), all.end(), value);
  long got = 0;
  MPI_Scatter(all.data(), 1, MPI_LONG, &got, 1, MPI_LONG, root, MPI_COMM_WORLD);
  require(got == value + rank_in(MPI_COMM_WORLD), "MPI_Scatter");
}

void gather(long value) {
  std::vector<long> all(static_cast<std::size_t>(ranks()));
  const long own = value + rank_in(MPI_COMM_WORLD);
  MPI_Gather(&own, 1, MPI_LONG, all.data(), 1, MPI_LONG, root, MPI_COMM_WORLD);
  for (int rank = 0; is_root() && rank < ranks(); ++rank)
    require(all[static_cast<std::size_t>(rank)] == value + rank, "MPI_Gather");
}

void reduce(long value) {
  const long own = value + rank_in(MPI_COMM_WORLD);
  long sum = 0;
  MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
  const long expected = value * ranks() + static_cast<long>(ranks()) * (ranks() - 1) / 2;
  if (is_root()) require(sum == expected, "MPI_Reduce");
}

void allreduce(long value) {
  long sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  require(sum == value * ranks(), "MPI_Allreduce");
}

}  // namespace

void run() {
  const std::array<std::function<void(long)>, 4> collectives = {broadcast, scatter, gather, reduce};
  for (long i = 0; i < 100; ++i) allreduce(i);
  for (long i = 0; i < 100; ++i) {
    for (const auto& collective : collectives) collective(i);  // together, so that shared memory is in use
    if (i % 8 == 0) {
      root_leaves_first([=] { broadcast(i); });
      root_leaves_first([=] { scatter(i); });
      if (i % 16 == 0) allreduce(i);
      root_comes_last([=] { gather(i); });
      root_comes_last([=] { reduce(i); });
    }
    if (i % 3 == 0) allreduce(i);
  }
}

}  // namespace airamp::laws
