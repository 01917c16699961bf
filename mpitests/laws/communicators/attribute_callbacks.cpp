// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// A library's attribute on a communicator whose delete callback makes a last collective there, as MPI allows: all ranks
// are in MPI_Comm_free. Then communicators of other shapes, which get the same handles: nothing of the dead one's may
// be found on them. The attribute is set before the first collective on some ranks and after it on others.
#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

constexpr std::size_t count = 20000;

struct Last {
  const HalfSum* half;  // none: a barrier
  int calls = 0;
};

int make_a_last_collective(MPI_Comm communicator, int, void* attribute, void*) {
  Last& last = *static_cast<Last*>(attribute);
  ++last.calls;
  if (last.half == nullptr) return MPI_Barrier(communicator);
  sum_halves(*last.half, communicator, count, last.calls);
  return MPI_SUCCESS;
}

void free_with_callbacks(const HalfSum& half, Last& last, int (*free)(MPI_Comm*)) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, make_a_last_collective, &keyval, nullptr);
  constexpr int rounds = 6;
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm whole = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &whole);
    const bool before = (round + rank) % 2 == 0;
    if (before) MPI_Comm_set_attr(whole, keyval, &last);
    sum_halves(half, whole, count, round);
    if (!before) MPI_Comm_set_attr(whole, keyval, &last);
    free(&whole);
    require(last.calls == round + 1 && whole == MPI_COMM_NULL, "the callback ran, and the communicator is gone");
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    sum_halves(half, part, count, round);
    MPI_Comm_free(&part);
  }
  MPI_Comm_free_keyval(&keyval);
}

}  // namespace

void run() {
  const HalfSum half;
  Last barrier{.half = nullptr};
  free_with_callbacks(half, barrier, MPI_Comm_free);
  Last sum{.half = &half};
  free_with_callbacks(half, sum, MPI_Comm_free);
  Last disconnected{.half = &half};
  free_with_callbacks(half, disconnected, MPI_Comm_disconnect);
}

}  // namespace airamp::laws
