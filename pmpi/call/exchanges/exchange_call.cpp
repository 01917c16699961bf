// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/exchanges/exchange_call.hpp"

#include <algorithm>
#include <vector>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

ExchangeCall::Look::Look(MPI_Comm comm) : rank_(rank_in(comm)), ranks_(ranks_in(comm)) {}

std::uint64_t ExchangeCall::Look::size_of(MPI_Datatype type) {
  if (type == latest_) return latest_size_;
  latest_ = type;
  return latest_size_ = payload_bytes(1, type);
}

ExchangeCall::Part ExchangeCall::Look::at(const void* at, std::int64_t count, MPI_Datatype type) {
  const std::uint64_t bytes = count > 0 ? static_cast<std::uint64_t>(count) * size_of(type) : 0;
  return {.at = at, .count = count, .type = type, .bytes = bytes};
}

ExchangeCall::Part ExchangeCall::Look::dense(const void* buffer, std::int64_t displacement, std::int64_t count,
                                             MPI_Datatype type) {
  const auto bytes_before = displacement * static_cast<std::int64_t>(size_of(type));
  return at(static_cast<const std::byte*>(buffer) + bytes_before, count, type);
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
  MPI_Datatype looked_at = MPI_DATATYPE_NULL;
  const auto look_at = [&](const Part& part) {
    if (part.count < 0) facts.not_as_it_is(Reason::different_lengths);  // the MPI library's error
    if (part.count <= 0 || part.type == looked_at) return;
    looked_at = part.type;
    if (!facts_of_movement(part.type, wish).lossless) facts.not_as_it_is(Reason::not_floating_point);
  };
  for_peers(look, [&](int rank) {
    const Part sent = sent_to(rank, look);
    const Part received = received_from(rank, look);
    look_at(sent);
    look_at(received);
    if (rank != look.rank()) {
      facts.bytes += sent.bytes;
    } else if (facts.lossless && sent.bytes != received.bytes) {
      facts.not_as_it_is(Reason::different_lengths);  // the MPI library's error
    }
    return facts.lossless;
  });
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
    data.sent[peer] = {static_cast<const std::byte*>(sent.at), sent.bytes};
    data.blocks[peer] = {static_cast<std::byte*>(const_cast<void*>(received.at)), received.bytes};
    return true;
  });
  return data;
}

}  // namespace airamp::pmpi
