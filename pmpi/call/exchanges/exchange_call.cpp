// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/exchanges/exchange_call.hpp"

#include <algorithm>
#include <vector>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/datatype_span.hpp"

namespace airamp::pmpi {

ExchangeCall::Look::Look(MPI_Comm comm) : rank_(rank_in(comm)), ranks_(ranks_in(comm)) {}

const ExchangeCall::Look::Layout& ExchangeCall::Look::layout_of(MPI_Datatype type) {
  for (const Layout& known : latest_)
    if (known.type == type) return known;
  const DatatypeInfo info = datatype_info(type);
  next_ = 1 - next_;
  return latest_[next_] = {
             .type = type, .size = info.size, .extent = extent_of(type), .is_packed = is_carried_packed(info)};
}

ExchangeCall::Part ExchangeCall::Look::at(const void* at, std::int64_t count, MPI_Datatype type) {
  if (count <= 0) return {.at = at, .count = count, .type = type};
  const Layout& element = layout_of(type);
  return {.at = at,
          .count = count,
          .type = type,
          .bytes = static_cast<std::uint64_t>(count) * element.size,
          .is_packed = element.is_packed};
}

ExchangeCall::Part ExchangeCall::Look::behind(const void* buffer, std::int64_t displacement, std::int64_t count,
                                              MPI_Datatype type) {
  return at(static_cast<const std::byte*>(buffer) + displacement * layout_of(type).extent, count, type);
}

template <class Use>
void ExchangeCall::for_peers(const Look& look, const Use& use) const {
  const int only = only_peer(look);
  const int end = only < 0 ? look.ranks() : only + 1;
  for (int rank = only < 0 ? 0 : only; rank < end; ++rank)
    if (!use(rank)) return;
}

std::optional<CallArguments> ExchangeCall::arguments() const {
  return CallArguments{.kind = kind(), .root = std::max(root(), 0)};
}

LocalFacts ExchangeCall::facts(Wish wish) const {
  LocalFacts facts{.lossless = wish.lossless, .element_name = to_string(DataType::byte), .why = wish.no_compression};
  if (!facts.lossless) return facts;
  if (const Reason why = obstacle(); why != Reason::none) {
    facts.not_as_it_is(why);
    return facts;
  }
  Look look(comm_);
  struct Side {
    MPI_Datatype looked_at = MPI_DATATYPE_NULL;
    std::uint64_t packed_bytes = 0;
  };
  const auto look_at = [&](const Part& part, Side& side) {
    if (part.count < 0) facts.not_as_it_is(Reason::different_lengths);  // the MPI library's error
    if (part.is_packed) side.packed_bytes += part.bytes;
    if (part.count <= 0 || part.type == side.looked_at) return;
    side.looked_at = part.type;
    const LocalFacts of_part = facts_of_movement(part.type, 1, wish);
    if (!of_part.lossless) facts.not_as_it_is(of_part.why);
  };
  Side given;
  Side taken;
  for_peers(look, [&](int rank) {
    const Part sent = sent_to(rank, look);
    const Part received = received_from(rank, look);
    look_at(sent, given);
    look_at(received, taken);
    if (rank != look.rank()) {
      facts.bytes += sent.bytes;
    } else if (facts.lossless && sent.bytes != received.bytes) {
      facts.not_as_it_is(Reason::different_lengths);  // the MPI library's error
    }
    return facts.lossless;
  });
  const auto most = static_cast<MPI_Count>(std::max(given.packed_bytes, taken.packed_bytes));
  facts.packed = facts.lossless && most > 0;
  if (facts.packed && !fits_packed(most, 1)) facts.not_as_it_is(Reason::many_with_holes);
  return facts;
}

bool ExchangeCall::waits_for_all() const {
  if (obstacle() != Reason::none) return false;
  Look look(comm_);
  for (int rank = 0; rank < look.ranks(); ++rank)
    if (rank != look.rank() && received_from(rank, look).bytes == 0) return false;
  return true;
}

CollectiveData ExchangeCall::data(const LocalFacts& /*facts*/) const {
  Look look(comm_);
  const auto ranks = static_cast<std::size_t>(look.ranks());
  CollectiveData data{.blocks = std::vector<GatherBlock>(ranks),
                      .sent = std::vector<SentBlock>(ranks),
                      .root = std::max(root(), 0),
                      .outputs = 0};
  for_peers(look, [&](int rank) {
    const auto peer = static_cast<std::size_t>(rank);
    const Part sent = sent_to(rank, look);
    const Part received = received_from(rank, look);
    data.sent[peer] = {
        sent.is_packed ? place_of_given(sent.elements(), comm_, data) : static_cast<const std::byte*>(sent.at),
        sent.bytes};
    data.blocks[peer] = {received.is_packed ? place_of_taken(received.elements(), comm_, data, true)
                                            : static_cast<std::byte*>(const_cast<void*>(received.at)),
                         received.bytes};
    return true;
  });
  return data;
}

}  // namespace airamp::pmpi
