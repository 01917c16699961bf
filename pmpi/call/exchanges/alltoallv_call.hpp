// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pmpi/call/exchanges/blocks_by_rank.hpp"
#include "pmpi/call/exchanges/exchange_call.hpp"
#include "pmpi/call/exchanges/plain_blocks.hpp"
#include "pmpi/mpi/rank_in.hpp"

namespace airamp::pmpi {

/// MPI_Alltoallv and MPI_Alltoallv_c. In place they are the MPI library's.
class AlltoallvCall final : public ExchangeCall {
 public:
  using Side = BlocksByRank;
  AlltoallvCall(const Side& send, const Side& receive, MPI_Comm comm, bool large_count)
      : ExchangeCall(comm, large_count), send_(send), receive_(receive) {}

  Kind kind() const override { return Kind::alltoallv; }
  Function function() const override { return large_count_ ? Function::MPI_Alltoallv_c : Function::MPI_Alltoallv; }
  Buffers buffers() const override;
  bool aliased() const override {
    return send_.buffer == receive_.buffer && send_.type == receive_.type && send_.counts.are(receive_.counts);
  }
  bool is_refused_alone() const override { return is_refused_alone(partners_in(comm_)); }
  /// The same, known how many ranks each one exchanges blocks with.
  bool is_refused_alone(int partners) const;
  int run_native() const override;
  std::optional<PlainStream> plain_stream(int rank, int ranks, PlainBlocks& blocks) const;

 private:
  bool is_there() const;
  Part sent_to(int rank, Look& look) const override { return part(send_, rank, look); }
  Part received_from(int rank, Look& look) const override { return part(receive_, rank, look); }
  Reason obstacle() const override;
  static Part part(const Side& side, int rank, Look& look);
  int run_library(const void* sendbuf, void* recvbuf) const;

  Side send_;
  Side receive_;
};

/// MPI_Alltoallw and MPI_Alltoallw_c. In place they are the MPI library's.
class AlltoallwCall final : public ExchangeCall {
 public:
  using Side = TypedBlocksByRank;
  AlltoallwCall(const Side& send, const Side& receive, MPI_Comm comm, bool large_count)
      : ExchangeCall(comm, large_count), send_(send), receive_(receive) {}

  Kind kind() const override { return Kind::alltoallw; }
  Function function() const override { return large_count_ ? Function::MPI_Alltoallw_c : Function::MPI_Alltoallw; }
  Buffers buffers() const override;
  bool aliased() const override {
    return send_.buffer == receive_.buffer && send_.types == receive_.types && send_.counts.are(receive_.counts);
  }
  bool is_refused_alone() const override { return is_refused_alone(partners_in(comm_)); }
  /// The same, known how many ranks each one exchanges blocks with.
  bool is_refused_alone(int partners) const;
  int run_native() const override;
  std::optional<PlainStream> plain_stream(int rank, int ranks, PlainBlocks& blocks) const;

 private:
  bool is_there() const;
  Part sent_to(int rank, Look& look) const override { return part(send_, rank, look); }
  Part received_from(int rank, Look& look) const override { return part(receive_, rank, look); }
  Reason obstacle() const override;
  static Part part(const Side& side, int rank, Look& look);
  int run_library(const void* sendbuf, void* recvbuf) const;

  Side send_;
  Side receive_;
};

// Inline: each short call asks.

inline bool AlltoallvCall::is_there() const {
  return send_.counts.there() && send_.displacements.there() && receive_.counts.there() &&
         receive_.displacements.there();
}

inline bool AlltoallwCall::is_there() const {
  return send_.counts.there() && send_.displacements.there() && send_.types != nullptr && receive_.counts.there() &&
         receive_.displacements.there() && receive_.types != nullptr;
}

inline MPI_Datatype type_of(const BlocksByRank& side, int /*rank*/) { return side.type; }
inline MPI_Datatype type_of(const TypedBlocksByRank& side, int rank) { return side.types[rank]; }

/// Whether no MPI library takes a rank's blocks on either side.
template <class Side>
bool is_any_refused(const Side& send, const Side& receive, int ranks) {
  for (int rank = 0; rank < ranks; ++rank) {
    if (are_refused(send.counts[rank], type_of(send, rank)) ||
        are_refused(receive.counts[rank], type_of(receive, rank)))
      return true;
  }
  return false;
}

inline bool AlltoallvCall::is_refused_alone(int partners) const {
  return send_.buffer != MPI_IN_PLACE && is_there() && is_any_refused(send_, receive_, partners);
}

inline bool AlltoallwCall::is_refused_alone(int partners) const {
  return send_.buffer != MPI_IN_PLACE && is_there() && is_any_refused(send_, receive_, partners);
}

/// Sets a rank's block on one side. `element`: the bytes of one. False if its length is negative.
template <class Block, class Side, class Make>
bool set_plain_block(Block& block, const Side& side, int rank, std::int64_t displaced_bytes, std::size_t element,
                     const Make& make) {
  const std::int64_t count = side.counts[rank];
  block = make(side.buffer, side.displacements[rank] * displaced_bytes, static_cast<std::size_t>(count) * element);
  return count >= 0;
}

/// The stream that lies in such blocks. Nothing if this rank's own block has two lengths.
inline std::optional<PlainStream> stream_in(const PlainBlocks& blocks, int own) {
  PlainStream stream{.bytes = 0, .gets_from_all = true};
  for (std::size_t rank = 0; rank < blocks.sent.size(); ++rank) {
    const std::size_t sent = blocks.sent[rank].elements;
    const std::size_t received = blocks.received[rank].elements;
    if (static_cast<int>(rank) == own) {
      if (sent != received) return std::nullopt;
      continue;
    }
    stream.bytes += sent;
    stream.gets_from_all = stream.gets_from_all && received > 0;
  }
  return stream;
}

inline std::optional<PlainStream> AlltoallvCall::plain_stream(int rank, int ranks, PlainBlocks& blocks) const {
  if (send_.buffer == MPI_IN_PLACE || !is_there()) return std::nullopt;
  const std::size_t send = plain_element_bytes(send_.type);
  const std::size_t receive = receive_.type == send_.type ? send : plain_element_bytes(receive_.type);
  bool well = send > 0 && receive > 0;
  for (int peer = 0; well && peer < ranks; ++peer) {
    const auto at = static_cast<std::size_t>(peer);
    well = set_plain_block(blocks.sent[at], send_, peer, static_cast<std::int64_t>(send), send, sent_block) &&
           set_plain_block(blocks.received[at], receive_, peer, static_cast<std::int64_t>(receive), receive,
                           received_block);
  }
  return well ? stream_in(blocks, rank) : std::nullopt;
}

inline std::optional<PlainStream> AlltoallwCall::plain_stream(int rank, int ranks, PlainBlocks& blocks) const {
  if (send_.buffer == MPI_IN_PLACE || !is_there()) return std::nullopt;
  MPI_Datatype latest = MPI_DATATYPE_NULL;
  std::size_t bytes = 0;
  const auto element = [&](MPI_Datatype type) {
    if (type != latest) bytes = plain_element_bytes(latest = type);
    return bytes;
  };
  bool well = true;
  for (int peer = 0; well && peer < ranks; ++peer) {
    const auto at = static_cast<std::size_t>(peer);
    const std::size_t send = element(send_.types[peer]);
    const std::size_t receive = element(receive_.types[peer]);
    well = send > 0 && receive > 0 && set_plain_block(blocks.sent[at], send_, peer, 1, send, sent_block) &&
           set_plain_block(blocks.received[at], receive_, peer, 1, receive, received_block);
  }
  return well ? stream_in(blocks, rank) : std::nullopt;
}

}  // namespace airamp::pmpi
