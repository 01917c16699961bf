// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/exchanges/alltoallv_call.hpp"

#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"

namespace airamp::pmpi {
namespace {

/// On copies in host memory.
template <class Side, class Run>
int run_on_copies(MPI_Comm comm, const Side& send, const Side& receive, const Run& run) {
  const int partners = partners_in(comm);
  const bool in_place = send.buffer == MPI_IN_PLACE;
  return run_on_host(
      comm, {send.buffer, span_of(send, partners), true}, {receive.buffer, span_of(receive, partners), in_place},
      [&] { return rows_of(receive, partners); }, run);
}

/// The side's buffer if it has anything in it, else the other one's: it says where a rank's data are.
template <class Side>
const void* buffer_of(const Side& side, const Side& other, MPI_Comm comm) {
  if (side.buffer == MPI_IN_PLACE) return other.buffer;
  if (!side.counts.there()) return side.buffer;
  const int partners = partners_in(comm);
  for (int rank = 0; rank < partners; ++rank)
    if (side.counts[rank] > 0) return side.buffer;
  return other.buffer;
}

}  // namespace

Buffers AlltoallvCall::buffers() const {
  return {buffer_of(send_, receive_, comm_), buffer_of(receive_, send_, comm_)};
}

Reason AlltoallvCall::obstacle() const {
  if (send_.buffer == MPI_IN_PLACE) return Reason::in_place;
  return is_there() ? Reason::none : Reason::no_data;  // the MPI library's error
}

ExchangeCall::Part AlltoallvCall::part(const Side& side, int rank, Look& look) {
  return look.behind(side.buffer, side.displacements[rank], side.counts[rank], side.type);
}

int AlltoallvCall::run_native() const {
  void* const receive = const_cast<void*>(receive_.buffer);
  if (!need_copies(send_.buffer, receive) || obstacle() == Reason::no_data) return run_library(send_.buffer, receive);
  return run_on_copies(comm_, send_, receive_,
                       [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

int AlltoallvCall::run_library(const void* sendbuf, void* recvbuf) const {
  if (!large_count_) {
    return native().MPI_Alltoallv(sendbuf, send_.counts.as<int>(), send_.displacements.as<int>(), send_.type, recvbuf,
                                  receive_.counts.as<int>(), receive_.displacements.as<int>(), receive_.type, comm_);
  }
  if (native().MPI_Alltoallv_c == nullptr) return missing_function("MPI_Alltoallv_c", comm_);
  return native().MPI_Alltoallv_c(sendbuf, send_.counts.as<MPI_Count>(), send_.displacements.as<MPI_Aint>(), send_.type,
                                  recvbuf, receive_.counts.as<MPI_Count>(), receive_.displacements.as<MPI_Aint>(),
                                  receive_.type, comm_);
}

Buffers AlltoallwCall::buffers() const {
  return {buffer_of(send_, receive_, comm_), buffer_of(receive_, send_, comm_)};
}

Reason AlltoallwCall::obstacle() const {
  if (send_.buffer == MPI_IN_PLACE) return Reason::in_place;
  return is_there() ? Reason::none : Reason::no_data;  // the MPI library's error
}

ExchangeCall::Part AlltoallwCall::part(const Side& side, int rank, Look& look) {
  return look.at(static_cast<const std::byte*>(side.buffer) + side.displacements[rank], side.counts[rank],
                 side.types[rank]);
}

int AlltoallwCall::run_native() const {
  void* const receive = const_cast<void*>(receive_.buffer);
  if (!need_copies(send_.buffer, receive) || obstacle() == Reason::no_data) return run_library(send_.buffer, receive);
  return run_on_copies(comm_, send_, receive_,
                       [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

int AlltoallwCall::run_library(const void* sendbuf, void* recvbuf) const {
  if (!large_count_) {
    return native().MPI_Alltoallw(sendbuf, send_.counts.as<int>(), send_.displacements.as<int>(), send_.types, recvbuf,
                                  receive_.counts.as<int>(), receive_.displacements.as<int>(), receive_.types, comm_);
  }
  if (native().MPI_Alltoallw_c == nullptr) return missing_function("MPI_Alltoallw_c", comm_);
  return native().MPI_Alltoallw_c(sendbuf, send_.counts.as<MPI_Count>(), send_.displacements.as<MPI_Aint>(),
                                  send_.types, recvbuf, receive_.counts.as<MPI_Count>(),
                                  receive_.displacements.as<MPI_Aint>(), receive_.types, comm_);
}

}  // namespace airamp::pmpi
