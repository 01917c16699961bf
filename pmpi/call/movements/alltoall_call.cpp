// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/movements/alltoall_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"

namespace airamp::pmpi {

LocalFacts AlltoallCall::facts(Wish wish) const {
  const int ranks = ranks_in(comm_);
  LocalFacts facts = facts_of_movement(recvtype_, ranks * recvcount_, wish);
  facts.type = DataType::byte;  // ranks may describe the same bytes by different types
  if (sendbuf_ == MPI_IN_PLACE) return facts;
  facts.and_those(facts_of_movement(sendtype_, ranks * sendcount_, wish));
  if (payload_bytes(sendcount_, sendtype_) != bytes()) {
    facts.not_as_it_is(Reason::different_lengths);  // of what it sends to itself: the MPI library's error
  }
  return facts;
}

int AlltoallCall::run_with_copies() const {
  if (!need_copies(sendbuf_, recvbuf_)) return run_library(sendbuf_, recvbuf_);
  const bool in_place = sendbuf_ == MPI_IN_PLACE;
  const int partners = partners_in(comm_);
  const Span sent = in_place ? Span{} : span_of(sendtype_, 0, partners * sendcount_);
  return run_on_host(
      comm_, {sendbuf_, sent, true}, {recvbuf_, span_of(recvtype_, 0, partners * recvcount_), in_place},
      [&] { return rows_of(recvtype_, 0, partners * recvcount_); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

CollectiveData AlltoallCall::data(const LocalFacts& /*facts*/) const {
  const int ranks = ranks_in(comm_);
  CollectiveData data{.elements = bytes(), .blocks = {}, .outputs = static_cast<std::size_t>(ranks)};
  const Elements received{.at = recvbuf_, .count = ranks * recvcount_, .type = recvtype_};
  const Elements sent{.at = const_cast<void*>(sendbuf_), .count = ranks * sendcount_, .type = sendtype_};
  data.input = place_of_given(sendbuf_ == MPI_IN_PLACE ? received : sent, comm_, data);
  data.output = place_of_taken(received, comm_, data);
  return data;
}

}  // namespace airamp::pmpi
