// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "codec/codec.hpp"
#include "pmpi/mpi/persistent_request.hpp"

namespace airamp::pmpi {

/// Slots of a channel: so many chunks may be on their way.
inline constexpr std::size_t slots_per_channel = 16;

/// Some chunks, one behind the other.
struct ChunkGroup {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< behind the last

  bool empty() const { return begin >= end; }
};

/// How a run of wire rows is cut into messages.
struct Chunking {
  std::size_t rows = 0;        ///< in all
  std::size_t chunk_rows = 1;  ///< of every chunk but the last

  std::size_t chunks() const { return (rows + chunk_rows - 1) / chunk_rows; }
  std::size_t begin(std::size_t chunk) const { return chunk * chunk_rows; }
  std::size_t size(std::size_t chunk) const { return chunk + 1 < chunks() ? chunk_rows : rows - begin(chunk); }
  std::size_t groups(std::size_t group_chunks) const { return (chunks() + group_chunks - 1) / group_chunks; }
  /// The chunks of group `index`; none behind the last group.
  ChunkGroup group(std::size_t index, std::size_t group_chunks) const {
    const std::size_t first = index * group_chunks;
    return {.begin = first, .end = std::min(first + group_chunks, chunks())};
  }
  /// Rows of a group that is not empty.
  std::size_t size(const ChunkGroup& group) const {
    return begin(group.end - 1) + size(group.end - 1) - begin(group.begin);
  }
  bool operator==(const Chunking&) const = default;
};

/// One direction between this rank and a peer: a ring of slots_per_channel slots, where chunk s has slot s modulo
/// their number: those of full chunks lie one behind the other. Chunks travel in order.
class ChunkChannel {
 public:
  /// `slots`: slots_per_channel times `slot_rows` wire rows.
  ChunkChannel(std::byte* slots, std::size_t slot_rows, int peer, int tag, MPI_Comm comm)
      : slots_(slots), slot_bytes_(slot_rows * codec::wire_row_bytes), peer_(peer), tag_(tag), comm_(comm) {}

  std::byte* slot(std::size_t chunk) const { return slots_ + chunk % slots_per_channel * slot_bytes_; }

 protected:
  std::byte* slots_;
  std::size_t slot_bytes_;
  int peer_;
  int tag_;
  MPI_Comm comm_;
};

/// Sends chunks 0, 1, 2, ... to one peer; senders to several peers may share their slots. The requests are
/// persistent; they are made anew only when the chunking changes. All functions return MPI error codes.
class ChunkSender : public ChunkChannel {
 public:
  using ChunkChannel::ChunkChannel;

  int prepare(const Chunking& chunking);
  int start(std::size_t chunk);
  int start(const ChunkGroup& group);
  /// Waits until the slot of `chunk` is free: until the chunk slots_per_channel before it has left.
  int wait_for_slot(std::size_t chunk);
  int wait_for_slots(const ChunkGroup& group);
  int wait_for_all();

 private:
  Chunking chunking_;
  std::array<PersistentRequest, slots_per_channel> whole_;
  PersistentRequest last_;  ///< the last chunk may be shorter
};

/// Receives the chunks that a ChunkSender sends. All functions return MPI error codes.
class ChunkReceiver : public ChunkChannel {
 public:
  using ChunkChannel::ChunkChannel;

  /// Posts the receives of the first chunks, as far as `post_ahead` has not.
  int begin(std::size_t chunks);
  /// After a call: posts the receives of a next one of the same length. If that comes with fewer chunks, or never,
  /// they wait unharmed until `begin` or the end.
  int post_ahead();
  /// Takes what a sender has sent before it heard that the call is off: the first `sent` chunks; no more will come.
  int drop(std::size_t sent);
  /// Waits for the arrival of `chunk`.
  int wait(std::size_t chunk) { return requests_[chunk % slots_per_channel].wait(); }
  int wait(const ChunkGroup& group);
  /// Gives the slot of `chunk` back, once it has been read.
  int release(std::size_t chunk);
  int release(const ChunkGroup& group);

 private:
  std::size_t chunks_ = 0;
  bool initialised_ = false;
  std::array<PersistentRequest, slots_per_channel> requests_;
};

}  // namespace airamp::pmpi
