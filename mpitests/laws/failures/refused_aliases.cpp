// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Some MPI libraries refuse a call of a rank that receives where it sends from, and say so to this rank alone: the next
// call of this rank is what the others are waiting in. So it is with AIRamp, whatever way such calls take. Where the
// library takes such a call, all ranks are in it.
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {
namespace {

using Numbers = std::vector<int>;

/// One kind of call, with one number from each rank to each.
struct Kind {
  const char* name;
  std::function<int(const int* send, int* receive, MPI_Comm comm)> call;
  std::function<Numbers(int rank, int ranks)> result;  ///< where each rank sends its number, its rank and one
  bool only_at_root = false;                           ///< which is rank 0
  bool own_block = false;                              ///< what is received from oneself lies at one's own rank
};

int ranks_in(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

Numbers ones(MPI_Comm comm) { return Numbers(static_cast<std::size_t>(ranks_in(comm)), 1); }

Numbers places(MPI_Comm comm) {
  Numbers numbers = ones(comm);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

Numbers of_all(int /*rank*/, int ranks) {
  Numbers numbers(static_cast<std::size_t>(ranks));
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

Numbers sum(int /*rank*/, int ranks) { return {ranks * (ranks + 1) / 2}; }

Numbers at_root(const Numbers& numbers, int rank) { return rank == 0 ? numbers : Numbers(); }

std::vector<Kind> kinds() {
  const MPI_Datatype type = MPI_INT;
  return {
      {"MPI_Allreduce", [=](auto* s, auto* r, MPI_Comm c) { return MPI_Allreduce(s, r, 1, type, MPI_SUM, c); }, sum},
      {"MPI_Iallreduce",
       [=](auto* s, auto* r, MPI_Comm c) {
         MPI_Request request = MPI_REQUEST_NULL;
         const int error = MPI_Iallreduce(s, r, 1, type, MPI_SUM, c, &request);
         return error == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : error;
       },
       sum},
      {"MPI_Reduce", [=](auto* s, auto* r, MPI_Comm c) { return MPI_Reduce(s, r, 1, type, MPI_SUM, 0, c); },
       [](int rank, int ranks) { return at_root(sum(rank, ranks), rank); }, true},
      {"MPI_Reduce_scatter",
       [=](auto* s, auto* r, MPI_Comm c) { return MPI_Reduce_scatter(s, r, ones(c).data(), type, MPI_SUM, c); }, sum},
      {"MPI_Reduce_scatter_block",
       [=](auto* s, auto* r, MPI_Comm c) { return MPI_Reduce_scatter_block(s, r, 1, type, MPI_SUM, c); }, sum},
      {"MPI_Scan", [=](auto* s, auto* r, MPI_Comm c) { return MPI_Scan(s, r, 1, type, MPI_SUM, c); },
       [](int rank, int /*ranks*/) { return sum(0, rank + 1); }},
      {"MPI_Exscan", [=](auto* s, auto* r, MPI_Comm c) { return MPI_Exscan(s, r, 1, type, MPI_SUM, c); },
       [](int rank, int /*ranks*/) { return rank == 0 ? Numbers() : sum(0, rank); }},
      {"MPI_Allgather", [=](auto* s, auto* r, MPI_Comm c) { return MPI_Allgather(s, 1, type, r, 1, type, c); }, of_all,
       false, true},
      {"MPI_Allgatherv",
       [=](auto* s, auto* r, MPI_Comm c) {
         return MPI_Allgatherv(s, 1, type, r, ones(c).data(), places(c).data(), type, c);
       },
       of_all, false, true},
      {"MPI_Gather", [=](auto* s, auto* r, MPI_Comm c) { return MPI_Gather(s, 1, type, r, 1, type, 0, c); },
       [](int rank, int ranks) { return at_root(of_all(rank, ranks), rank); }, true},
      {"MPI_Gatherv",
       [=](auto* s, auto* r, MPI_Comm c) {
         return MPI_Gatherv(s, 1, type, r, ones(c).data(), places(c).data(), type, 0, c);
       },
       [](int rank, int ranks) { return at_root(of_all(rank, ranks), rank); }, true},
      {"MPI_Scatter", [=](auto* s, auto* r, MPI_Comm c) { return MPI_Scatter(s, 1, type, r, 1, type, 0, c); },
       [](int /*rank*/, int /*ranks*/) { return Numbers{1}; }, true},
      {"MPI_Scatterv",
       [=](auto* s, auto* r, MPI_Comm c) {
         return MPI_Scatterv(s, ones(c).data(), places(c).data(), type, r, 1, type, 0, c);
       },
       [](int /*rank*/, int /*ranks*/) { return Numbers{1}; }, true},
      {"MPI_Alltoall", [=](auto* s, auto* r, MPI_Comm c) { return MPI_Alltoall(s, 1, type, r, 1, type, c); }, of_all},
      {"MPI_Alltoallv",
       [=](auto* s, auto* r, MPI_Comm c) {
         const Numbers counts = ones(c);
         const Numbers at = places(c);
         return MPI_Alltoallv(s, counts.data(), at.data(), type, r, counts.data(), at.data(), type, c);
       },
       of_all},
  };
}

int error_class(int code) {
  int result = MPI_SUCCESS;
  MPI_Error_class(code, &result);
  return result;
}

void call_rightly(const Kind& kind, MPI_Comm comm, int rank) {
  const int ranks = ranks_in(comm);
  const Numbers send(static_cast<std::size_t>(ranks), rank + 1);
  Numbers received(static_cast<std::size_t>(ranks));
  const int error = kind.call(send.data(), received.data(), comm);
  if (error != MPI_SUCCESS) std::fprintf(stderr, "%s fails on rank %d\n", kind.name, rank);
  require(error == MPI_SUCCESS, "a right call succeeds");
  const Numbers expected = kind.result(rank, ranks);
  received.resize(expected.size());
  if (received != expected) std::fprintf(stderr, "%s is wrong on rank %d\n", kind.name, rank);
  require(received == expected, "the result of a right call");
}

/// With one buffer to send from and to receive into.
int call_wrongly(const Kind& kind, MPI_Comm comm, int rank) {
  Numbers numbers(static_cast<std::size_t>(ranks_in(comm)), rank + 1);
  return error_class(kind.call(numbers.data() + (kind.own_block ? rank : 0), numbers.data(), comm));
}

void call_with_any_result(const Kind& kind, MPI_Comm comm, int rank) {
  const Numbers send = Numbers(static_cast<std::size_t>(ranks_in(comm)), rank + 1);
  Numbers received(send.size());
  kind.call(send.data(), received.data(), comm);
}

}  // namespace

void run() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm alone = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_dup(MPI_COMM_SELF, &alone);
  for (const MPI_Comm some : {comm, alone}) MPI_Comm_set_errhandler(some, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  for (const Kind& kind : kinds()) {
    for (int call = 0; call < 80; ++call) {  // what is posted or started is by now
      call_rightly(kind, comm, rank);
      if (call % 40 == 39) MPI_Barrier(comm);  // in which it is settled how starts go
    }
    const int native = call_wrongly(kind, alone, 0);  // calls of one rank are the MPI library's
    for (int call = 0; call < 3 && native == MPI_SUCCESS; ++call) {
      if (rank == 0) {
        call_wrongly(kind, comm, rank);
      } else {
        call_with_any_result(kind, comm, rank);
      }
    }
    for (int call = 0; call < 3 && native != MPI_SUCCESS; ++call) {
      if (rank == 0 || !kind.only_at_root) {
        const int seen = call_wrongly(kind, comm, rank);
        if (seen != native) std::fprintf(stderr, "%s: error class %d, natively %d\n", kind.name, seen, native);
        require(seen == native, "the error class of a call in which a rank receives where it sends from");
      }
      call_rightly(kind, comm, rank);
    }
    for (int call = 0; call < 20; ++call) call_rightly(kind, comm, rank);
  }
  MPI_Comm_free(&alone);
  MPI_Comm_free(&comm);
}

}  // namespace airamp::laws
