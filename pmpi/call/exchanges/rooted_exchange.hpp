// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "pmpi/call/exchanges/blocks_by_rank.hpp"
#include "pmpi/call/exchanges/exchange_call.hpp"
#include "pmpi/call/exchanges/plain_blocks.hpp"

namespace airamp::pmpi {

/// What MPI_Gatherv and MPI_Scatterv have in common: every rank has one block, and the root those of all.
class RootedExchange : public ExchangeCall {
 public:
  /// A rank's own block. At a root in place there is none beside those of all.
  struct Own {
    const void* buffer;
    MPI_Count count;
    MPI_Datatype type;
  };
  /// The blocks of all, of significance at the root alone.
  using All = BlocksByRank;
  RootedExchange(const Own& own, const All& all, int root, MPI_Comm comm, bool large_count)
      : ExchangeCall(comm, large_count), own_(own), all_(all), root_(root) {}

  int root() const override { return root_; }
  Buffers buffers() const override;
  bool aliased() const override;
  bool is_refused_alone() const override { return !is_in_place() && are_refused(own_.count, own_.type); }

  /// The type of all blocks that matter on this rank; MPI_DATATYPE_NULL if there are two, or there is an error.
  MPI_Datatype only_type(bool is_root) const {
    if (!is_root) return own_.count >= 0 && !is_in_place() ? own_.type : MPI_DATATYPE_NULL;
    if (!all_.counts.there() || !all_.displacements.there()) return MPI_DATATYPE_NULL;
    const bool own_is_as_long = is_in_place() || (own_.type == all_.type && own_.count == all_.counts[root_]);
    return own_is_as_long && all_.counts[root_] >= 0 ? all_.type : MPI_DATATYPE_NULL;
  }

 protected:
  /// Whether the MPI library cannot read what matters of the buffers on this rank. What does not may be anything.
  bool needs_copies() const;
  /// Of this rank's own block; nothing of one in place.
  Span own_span() const;
  /// How many blocks matter on this rank that are those of all.
  int blocks_of_all() const;
  bool is_in_place() const { return own_.buffer == MPI_IN_PLACE; }
  bool is_root() const;
  /// This rank's own block if it goes to or comes from `rank`, else nothing.
  Part own_of(int rank, Look& look) const;
  /// Rank `rank`'s block at the root, else nothing.
  Part all_of(int rank, Look& look) const;
  int only_peer(const Look& look) const override { return look.rank() == root_ ? -1 : root_; }
  Reason obstacle() const override;

  Own own_;
  All all_;
  int root_;
};

/// MPI_Gatherv and MPI_Gatherv_c.
class GathervCall final : public RootedExchange {
 public:
  using RootedExchange::RootedExchange;

  Kind kind() const override { return Kind::gatherv; }
  Function function() const override { return large_count_ ? Function::MPI_Gatherv_c : Function::MPI_Gatherv; }
  int run_native() const override;
  std::optional<PlainStream> plain_stream(int rank, int ranks, PlainBlocks& blocks) const;

 private:
  int run_library(const void* sendbuf, void* recvbuf) const;
  Part sent_to(int rank, Look& look) const override { return own_of(rank, look); }
  Part received_from(int rank, Look& look) const override { return all_of(rank, look); }
};

/// MPI_Scatterv and MPI_Scatterv_c.
class ScattervCall final : public RootedExchange {
 public:
  using RootedExchange::RootedExchange;

  Kind kind() const override { return Kind::scatterv; }
  Function function() const override { return large_count_ ? Function::MPI_Scatterv_c : Function::MPI_Scatterv; }
  std::optional<Elements> received_from_root() const override;
  int run_native() const override;

  // For its shortest way. `is_root`: this rank. `element_bytes`: of `only_type`, whose elements lie as they are sent.

  /// What the root sends to others, if it is no more than so many bytes.
  std::optional<std::size_t> bytes_to_others(int ranks, std::size_t element_bytes, std::size_t max_bytes) const {
    std::size_t elements = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const std::int64_t count = rank == root_ ? 0 : all_.counts[rank];
      if (count < 0 || count > static_cast<std::int64_t>(max_bytes)) return std::nullopt;
      elements += static_cast<std::size_t>(count);
    }
    return elements * element_bytes <= max_bytes ? std::optional(elements * element_bytes) : std::nullopt;
  }
  /// Its block for a rank.
  SentBlock block_of(int rank, std::size_t element_bytes) const {
    const auto bytes = static_cast<std::ptrdiff_t>(element_bytes);
    return {.input = static_cast<const std::byte*>(all_.buffer) + all_.displacements[rank] * bytes,
            .elements = static_cast<std::size_t>(all_.counts[rank]) * element_bytes};
  }
  /// Where this rank's own block goes; at a root in place nowhere.
  GatherBlock own_block(std::size_t element_bytes) const {
    if (is_in_place()) return {};
    return {.output = static_cast<std::byte*>(const_cast<void*>(own_.buffer)),
            .elements = static_cast<std::size_t>(own_.count) * element_bytes};
  }

 private:
  int run_library(const void* sendbuf, void* recvbuf) const;
  Part sent_to(int rank, Look& look) const override { return all_of(rank, look); }
  Part received_from(int rank, Look& look) const override { return own_of(rank, look); }
};

// Inline: each short call asks.

inline std::optional<PlainStream> GathervCall::plain_stream(int rank, int ranks, PlainBlocks& blocks) const {
  const bool is_root = rank == root_;
  const std::size_t element = plain_element_bytes(only_type(is_root));
  if (element == 0) return std::nullopt;
  const auto own = static_cast<std::size_t>(rank);
  std::fill(blocks.sent.begin(), blocks.sent.end(), SentBlock{});
  if (!is_root) {
    std::fill(blocks.received.begin(), blocks.received.end(), GatherBlock{});
    const std::size_t bytes = static_cast<std::size_t>(own_.count) * element;
    blocks.sent[static_cast<std::size_t>(root_)] = sent_block(own_.buffer, 0, bytes);
    return PlainStream{.bytes = bytes, .gets_from_all = false};
  }
  for (int from = 0; from < ranks; ++from) {
    const std::int64_t count = all_.counts[from];
    if (count < 0) return std::nullopt;
    const std::int64_t offset = all_.displacements[from] * static_cast<std::int64_t>(element);
    blocks.received[static_cast<std::size_t>(from)] =
        received_block(all_.buffer, offset, static_cast<std::size_t>(count) * element);
  }
  const GatherBlock& to = blocks.received[own];
  blocks.sent[own] = sent_block(is_in_place() ? to.output : own_.buffer, 0, to.elements);
  return PlainStream{.bytes = 0, .gets_from_all = false};
}

}  // namespace airamp::pmpi
