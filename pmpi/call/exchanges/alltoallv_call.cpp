// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/exchanges/alltoallv_call.hpp"

#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

Buffers AlltoallvCall::buffers() const {
  return {send_.buffer == MPI_IN_PLACE ? receive_.buffer : send_.buffer, receive_.buffer};
}

Reason AlltoallvCall::obstacle() const {
  if (send_.buffer == MPI_IN_PLACE) return Reason::in_place;
  const bool there =
      send_.counts.there() && send_.displacements.there() && receive_.counts.there() && receive_.displacements.there();
  return there ? Reason::none : Reason::no_data;  // the MPI library's error
}

ExchangeCall::Part AlltoallvCall::part(const Side& side, int rank) {
  return {.at = element_at(side.buffer, side.displacements[rank], side.type),
          .count = side.counts[rank],
          .type = side.type};
}

int AlltoallvCall::run_native() const {
  void* const receive = const_cast<void*>(receive_.buffer);
  if (!large_count_) {
    return native().MPI_Alltoallv(send_.buffer, send_.counts.as<int>(), send_.displacements.as<int>(), send_.type,
                                  receive, receive_.counts.as<int>(), receive_.displacements.as<int>(), receive_.type,
                                  comm_);
  }
  if (native().MPI_Alltoallv_c == nullptr) return missing_function("MPI_Alltoallv_c", comm_);
  return native().MPI_Alltoallv_c(send_.buffer, send_.counts.as<MPI_Count>(), send_.displacements.as<MPI_Aint>(),
                                  send_.type, receive, receive_.counts.as<MPI_Count>(),
                                  receive_.displacements.as<MPI_Aint>(), receive_.type, comm_);
}

Buffers AlltoallwCall::buffers() const {
  return {send_.buffer == MPI_IN_PLACE ? receive_.buffer : send_.buffer, receive_.buffer};
}

Reason AlltoallwCall::obstacle() const {
  if (send_.buffer == MPI_IN_PLACE) return Reason::in_place;
  const bool there = send_.counts.there() && send_.displacements.there() && send_.types != nullptr &&
                     receive_.counts.there() && receive_.displacements.there() && receive_.types != nullptr;
  return there ? Reason::none : Reason::no_data;  // the MPI library's error
}

ExchangeCall::Part AlltoallwCall::part(const Side& side, int rank) {
  return {.at = static_cast<const std::byte*>(side.buffer) + side.displacements[rank],
          .count = side.counts[rank],
          .type = side.types[rank]};
}

int AlltoallwCall::run_native() const {
  void* const receive = const_cast<void*>(receive_.buffer);
  if (!large_count_) {
    return native().MPI_Alltoallw(send_.buffer, send_.counts.as<int>(), send_.displacements.as<int>(), send_.types,
                                  receive, receive_.counts.as<int>(), receive_.displacements.as<int>(), receive_.types,
                                  comm_);
  }
  if (native().MPI_Alltoallw_c == nullptr) return missing_function("MPI_Alltoallw_c", comm_);
  return native().MPI_Alltoallw_c(send_.buffer, send_.counts.as<MPI_Count>(), send_.displacements.as<MPI_Aint>(),
                                  send_.types, receive, receive_.counts.as<MPI_Count>(),
                                  receive_.displacements.as<MPI_Aint>(), receive_.types, comm_);
}

}  // namespace airamp::pmpi
