// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// A rank whose call the MPI library cannot take is told so, and nobody else: the next call of this rank is what the
// others are waiting in. So it is with AIRamp, whatever way such calls take, and before it has decided on one.
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

/// Calls to which each rank gives the same number for each rank.
struct Calls {
  std::function<int(const int* given, int* result, bool right, MPI_Comm comm)> call;
  std::function<int(int rank, int ranks)>
      added;  ///< of how many of them the first is the sum that a rank gets; 0: it gets none
};

std::vector<int> ones(MPI_Comm comm) { return std::vector<int>(static_cast<std::size_t>(size_of(comm)), 1); }

MPI_Op sum_if(bool right) { return right ? MPI_SUM : MPI_OP_NULL; }

std::vector<Calls> calls() {
  const MPI_Datatype type = MPI_INT;
  const auto all = [](int /*rank*/, int ranks) { return ranks; };
  const auto one = [](int /*rank*/, int /*ranks*/) { return 1; };
  return {
      {[=](auto* g, auto* r, bool right, MPI_Comm c) { return MPI_Allreduce(g, r, 1, type, sum_if(right), c); }, all},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) {
         MPI_Request request = MPI_REQUEST_NULL;
         const int error = MPI_Iallreduce(g, r, 1, type, sum_if(right), c, &request);
         return error == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : error;
       },
       all},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) { return MPI_Reduce(g, r, 1, type, sum_if(right), 0, c); },
       [](int rank, int ranks) { return rank == 0 ? ranks : 0; }},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) {
         return MPI_Reduce_scatter(g, r, ones(c).data(), type, sum_if(right), c);
       },
       all},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) {
         return MPI_Reduce_scatter_block(g, r, 1, type, sum_if(right), c);
       },
       all},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) { return MPI_Scan(g, r, 1, type, sum_if(right), c); },
       [](int rank, int /*ranks*/) { return rank + 1; }},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) { return MPI_Exscan(g, r, 1, type, sum_if(right), c); },
       [](int rank, int /*ranks*/) { return rank; }},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) {
         if (rank_in(c) == 0) *r = *g;
         return MPI_Bcast(r, right ? 1 : -1, type, 0, c);
       },
       one},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) {
         return MPI_Scatter(g, 1, type, r, 1, right ? type : MPI_DATATYPE_NULL, 0, c);
       },
       one},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) {
         const std::vector<int> none(static_cast<std::size_t>(size_of(c)));
         return MPI_Scatterv(g, ones(c).data(), none.data(), type, r, right ? 1 : -1, type, 0, c);
       },
       one},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) {
         return MPI_Allgather(g, 1, right ? type : MPI_DATATYPE_NULL, r, 1, type, c);
       },
       one},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) { return MPI_Alltoall(g, right ? 1 : -1, type, r, 1, type, c); },
       one},
      {[=](auto* g, auto* r, bool right, MPI_Comm c) {
         std::vector<int> sent = ones(c);
         if (!right) sent.back() = -1;
         std::vector<int> places(sent.size());
         std::iota(places.begin(), places.end(), 0);
         return MPI_Alltoallv(g, sent.data(), places.data(), type, r, ones(c).data(), places.data(), type, c);
       },
       one},
  };
}

void call_rightly(const Calls& calls, int round, MPI_Comm comm) {
  const std::vector<int> given(static_cast<std::size_t>(size_of(comm)), round);
  std::vector<int> result(given.size(), -1);
  require(calls.call(given.data(), result.data(), true, comm) == MPI_SUCCESS, "a right call");
  const int added = calls.added(rank_in(comm), size_of(comm));
  require(added == 0 || result[0] == added * round, "the result of a right call");
}

void be_refused_in_turn(const Calls& calls, int rounds, MPI_Comm comm) {
  for (int round = 0; round < rounds; ++round) {
    if (rank_in(comm) == round % size_of(comm)) {
      const std::vector<int> given(static_cast<std::size_t>(size_of(comm)), -2);
      std::vector<int> result(given.size());
      require(calls.call(given.data(), result.data(), false, comm) != MPI_SUCCESS, "the MPI library refuses it");
    }
    call_rightly(calls, round, comm);
  }
}

}  // namespace

void run() {
  constexpr int until_it_is_decided = 300;
  for (const Calls& calls : calls()) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    be_refused_in_turn(calls, 50, comm);
    for (int round = 0; round < until_it_is_decided; ++round) call_rightly(calls, round, comm);
    be_refused_in_turn(calls, 50, comm);
    MPI_Comm_free(&comm);
  }
}

}  // namespace airamp::laws
