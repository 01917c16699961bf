// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/exchanges/exchange_call.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/mpi/rank_in.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

std::uint64_t ExchangeCall::Part::bytes() const { return payload_bytes(count, type); }

const void* ExchangeCall::element_at(const void* buffer, std::int64_t displacement, MPI_Datatype type) {
  const auto bytes = static_cast<std::int64_t>(payload_bytes(1, type));
  return static_cast<const std::byte*>(buffer) + displacement * bytes;
}

LocalFacts ExchangeCall::facts(Wish wish) const {
  LocalFacts facts{.lossless = wish.lossless, .element_name = to_string(DataType::byte), .why = wish.no_compression};
  if (!facts.lossless) return facts;
  if (const Reason why = obstacle(); why != Reason::none) {
    facts.not_as_it_is(why);
    return facts;
  }
  const int ranks = ranks_in(comm_);
  const int own = rank_in(comm_);
  MPI_Datatype looked_at = MPI_DATATYPE_NULL;
  const auto look_at = [&](const Part& part) {
    if (part.count < 0) facts.not_as_it_is(Reason::different_lengths);  // the MPI library's error
    if (part.count <= 0 || part.type == looked_at) return;
    looked_at = part.type;
    if (!facts_of_movement(part.type, wish).lossless) facts.not_as_it_is(Reason::not_floating_point);
  };
  for (int rank = 0; rank < ranks && facts.lossless; ++rank) {
    look_at(sent_to(rank));
    look_at(received_from(rank));
  }
  if (facts.lossless && sent_to(own).bytes() != received_from(own).bytes()) {
    facts.not_as_it_is(Reason::different_lengths);  // the MPI library's error
  }
  return facts;
}

bool ExchangeCall::waits_for_all() const {
  if (obstacle() != Reason::none) return false;
  const int ranks = ranks_in(comm_);
  const int own = rank_in(comm_);
  for (int rank = 0; rank < ranks; ++rank)
    if (rank != own && received_from(rank).bytes() == 0) return false;
  return true;
}

CollectiveData ExchangeCall::data(const LocalFacts& /*facts*/) const {
  CollectiveData data{.blocks = {}, .outputs = 0};
  const auto ranks = static_cast<std::size_t>(ranks_in(comm_));
  data.sent.reserve(ranks);
  data.blocks.reserve(ranks);
  for (int rank = 0; rank < static_cast<int>(ranks); ++rank) {
    const Part sent = sent_to(rank);
    const Part received = received_from(rank);
    data.sent.push_back({static_cast<const std::byte*>(sent.at), sent.bytes()});
    data.blocks.push_back({static_cast<std::byte*>(const_cast<void*>(received.at)), received.bytes()});
  }
  return data;
}

}  // namespace airamp::pmpi
