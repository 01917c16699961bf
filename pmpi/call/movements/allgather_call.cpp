// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/movements/allgather_call.hpp"

#include <algorithm>
#include <type_traits>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

LocalFacts GatherCall::facts(Wish wish) const {
  LocalFacts facts = facts_of_movement(arguments_.recvtype, elements_of_all(), wish);
  if (!facts.eligible() || arguments_.sendbuf == MPI_IN_PLACE) return facts;
  const LocalFacts sent = facts_of_movement(arguments_.sendtype, arguments_.sendcount, wish);
  if (facts.lossy && (!sent.lossy || sent.type != facts.type)) {
    facts.lossy = false;
    facts.why = Reason::unknown_sent_type;
  }
  facts.and_those(sent);
  if (!is_between_groups(arguments_.comm) && !fills_own_block(place(rank_in(arguments_.comm)).elements)) {
    facts.lossy = false;
    facts.not_as_it_is(Reason::different_lengths);
  }
  // without compression the bytes alone count: ranks may describe them by different types
  if (!facts.lossy) facts.type = DataType::byte;
  return facts;
}

bool GatherCall::fills_own_block(std::uint64_t elements) const {
  const GatherArguments& a = arguments_;
  if (a.sendbuf == MPI_IN_PLACE) return true;
  if (a.sendtype == a.recvtype) return static_cast<std::uint64_t>(a.sendcount) == elements;
  return payload_bytes(a.sendcount, a.sendtype) == elements * payload_bytes(1, a.recvtype);
}

bool GatherCall::aliased() const {
  const GatherArguments& a = arguments_;
  if (a.sendbuf < a.recvbuf || a.sendtype != a.recvtype || a.sendcount <= 0 || a.sendbuf == MPI_IN_PLACE) return false;
  if (is_between_groups(a.comm)) return false;
  const Place own = place(rank_in(a.comm));
  return own.elements == static_cast<std::uint64_t>(a.sendcount) &&
         a.sendbuf == static_cast<const std::byte*>(a.recvbuf) + own.offset * extent_of(a.recvtype);
}

Buffers GatherCall::buffers() const {
  const bool sends = arguments_.sendbuf != MPI_IN_PLACE && arguments_.sendcount > 0;
  return {sends ? arguments_.sendbuf : arguments_.recvbuf, arguments_.recvbuf};
}

CollectiveData GatherCall::data(const LocalFacts& facts) const {
  const GatherArguments& a = arguments_;
  const std::size_t element_bytes = payload_bytes(1, a.recvtype);
  const std::size_t size = size_of(facts.type);
  const std::ptrdiff_t extent = extent_of(a.recvtype);
  const bool is_packed = is_carried_packed(datatype_info(a.recvtype));
  CollectiveData data;
  const int ranks = ranks_in(a.comm);
  data.blocks.reserve(static_cast<std::size_t>(ranks));
  const auto block = [&](int rank) {
    const Place at = place(rank);
    return Elements{.at = static_cast<std::byte*>(a.recvbuf) + at.offset * extent,
                    .count = static_cast<MPI_Count>(at.elements),
                    .type = a.recvtype};
  };
  for (int rank = 0; rank < ranks; ++rank) {
    const Elements to = block(rank);
    data.blocks.push_back({is_packed ? place_of_taken(to, a.comm, data) : static_cast<std::byte*>(to.at),
                           static_cast<std::size_t>(to.count) * element_bytes / size});
  }
  const bool in_place = a.sendbuf == MPI_IN_PLACE;
  const Elements sent{.at = const_cast<void*>(a.sendbuf), .count = a.sendcount, .type = a.sendtype};
  data.input = place_of_given(in_place ? block(rank_in(a.comm)) : sent, a.comm, data);
  return data;
}

Span GatherCall::received() const {
  Span span;
  const int count = partners_in(arguments_.comm);
  for (int block = 0; block < count; ++block) {
    const Place at = place(block);
    span = join(span, span_of(arguments_.recvtype, at.offset, static_cast<MPI_Count>(at.elements)));
  }
  return span;
}

std::vector<Rows> GatherCall::received_rows() const {
  std::vector<Rows> rows;
  const int count = partners_in(arguments_.comm);
  const int kept = arguments_.sendbuf == MPI_IN_PLACE ? rank_in(arguments_.comm) : MPI_PROC_NULL;
  for (int block = 0; block < count; ++block) {
    if (block == kept) continue;
    const Place at = place(block);
    add_rows(rows, rows_of(arguments_.recvtype, at.offset, static_cast<MPI_Count>(at.elements)));
  }
  return rows;
}

int GatherCall::run_with_copies() const {
  if (!need_copies(arguments_.sendbuf, arguments_.recvbuf)) {
    return run_library(arguments_.sendbuf, arguments_.recvbuf);
  }
  const bool in_place = arguments_.sendbuf == MPI_IN_PLACE;
  const Span sent = in_place ? Span{} : span_of(arguments_.sendtype, 0, arguments_.sendcount);
  return run_on_host(
      arguments_.comm, {arguments_.sendbuf, sent, true}, {arguments_.recvbuf, received(), in_place},
      [this] { return received_rows(); },
      [this](const void* sendbuf, void* recvbuf) { return run_library(sendbuf, recvbuf); });
}

MPI_Count AllgatherCall::elements_of_all() const { return ranks_in(arguments_.comm) * recvcount_; }

std::uint64_t AllgatherCall::bytes() const { return payload_bytes(recvcount_, arguments_.recvtype); }

GatherCall::Place AllgatherCall::place(int rank) const {
  return {rank * static_cast<std::ptrdiff_t>(recvcount_), static_cast<std::uint64_t>(recvcount_)};
}

template <class Count, class Displacement>
std::uint64_t AllgathervCall<Count, Displacement>::all_elements(int ranks) const {
  std::uint64_t elements = 0;
  for (int rank = 0; rank < ranks; ++rank) elements += static_cast<std::uint64_t>(recvcounts_[rank]);
  return elements;
}

template <class Count, class Displacement>
MPI_Count AllgathervCall<Count, Displacement>::elements_of_all() const {
  if (is_between_groups(arguments_.comm) || recvcounts_ == nullptr) return 0;  // the counts are the other group's
  return static_cast<MPI_Count>(all_elements(ranks_in(arguments_.comm)));
}

template <class Count, class Displacement>
std::uint64_t AllgathervCall<Count, Displacement>::bytes() const {
  const int size = ranks_in(arguments_.comm);
  if (is_between_groups(arguments_.comm) || size <= 0 || recvcounts_ == nullptr)
    return 0;  // the counts are the other group's
  return all_elements(size) * payload_bytes(1, arguments_.recvtype) / static_cast<std::uint64_t>(size);
}

template <class Count, class Displacement>
std::optional<CallArguments> AllgathervCall<Count, Displacement>::arguments() const {
  return arguments_among(ranks_in(arguments_.comm), rank_in(arguments_.comm));
}

template <class Count, class Displacement>
std::optional<CallArguments> AllgathervCall<Count, Displacement>::arguments_among(int ranks, int rank) const {
  if (recvcounts_ == nullptr || !fills_own_block(static_cast<std::uint64_t>(recvcounts_[rank]))) return std::nullopt;
  return arguments_with(static_cast<MPI_Count>(all_elements(ranks)));
}

template <class Count, class Displacement>
GatherCall::Place AllgathervCall<Count, Displacement>::place(int rank) const {
  return {static_cast<std::ptrdiff_t>(displs_[rank]), static_cast<std::uint64_t>(recvcounts_[rank])};
}

template <class Count, class Displacement>
int AllgathervCall<Count, Displacement>::run_library(const void* sendbuf, void* recvbuf) const {
  const GatherArguments& a = arguments_;
  if constexpr (std::is_same_v<Count, int>) {
    return native().MPI_Allgatherv(sendbuf, static_cast<int>(a.sendcount), a.sendtype, recvbuf, recvcounts_, displs_,
                                   a.recvtype, a.comm);
  } else {
    if (native().MPI_Allgatherv_c != nullptr) {
      return native().MPI_Allgatherv_c(sendbuf, a.sendcount, a.sendtype, recvbuf, recvcounts_, displs_, a.recvtype,
                                       a.comm);
    }
    const int size = ranks_in(arguments_.comm);
    const bool fits = fits_int(a.sendcount) &&
                      std::all_of(recvcounts_, recvcounts_ + size, [](MPI_Count count) { return fits_int(count); }) &&
                      std::all_of(displs_, displs_ + size, [](MPI_Aint displ) { return fits_int(displ); });
    if (!fits) return missing_function("MPI_Allgatherv_c", a.comm);
    const std::vector<int> counts(recvcounts_, recvcounts_ + size);
    const std::vector<int> displs(displs_, displs_ + size);
    return native().MPI_Allgatherv(sendbuf, static_cast<int>(a.sendcount), a.sendtype, recvbuf, counts.data(),
                                   displs.data(), a.recvtype, a.comm);
  }
}

template class AllgathervCall<int, int>;
template class AllgathervCall<MPI_Count, MPI_Aint>;

}  // namespace airamp::pmpi
