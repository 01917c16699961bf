// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// How warps of different ranks talk. Every warp is a channel of its own: channel c of a rank talks to channel c of the
// others and to nobody else, so nothing on a GPU is synchronised but the lanes of a warp, and blocks need not run at
// the same time.
//
// ARRIVAL. Nobody sends a word of all ones. Regions are full of such holes; a reader reads the data itself until no
// hole is left in it, and puts the holes back. Every word (32 bits, or 64 for float64) vouches for itself, so the order
// in which stores arrive does not matter, and a hop costs one store and one load. Integers and bytes, of which any bits
// are legal, are seen to by any_bits.hpp. Some rows travel in fewer bytes (row_form.hpp).
//
// CREDIT. A region is a ring of four slots; round k uses slot k % 4. Before a launch everything is a hole (the host has
// seen to it that all ranks' earlier launches are complete), so rounds 0 to 3 need no permission. Later a writer must
// know that the reader has put the holes of round k-4 back, and know it by an order of memory operations. Every walk
// has iterations j = 0, 1, ... of the same shape: first it takes (reads and puts holes back), then it passes a fence of
// system scope if j is even, then it pushes. In every round but the last each rank pushes something to each other one:
// data, or a token (the first 16 bytes) where it has no data. The proof that this suffices stands with each walk. It
// always goes: before my fence I have taken something that the reader pushed after a fence of his, before which he put
// the holes in question back. Each of the two fences orders for all lanes of its warp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/hole.hpp"
#include "gpu/device/leave.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/rows/attempts.hpp"
#include "gpu/device/rows/row_form.hpp"
#include "gpu/peer/layout.hpp"

namespace airamp::gpu::device {

/// What walks send: parts of a vector to its owner (or blocks to everybody), and owners' results.
enum Kind { contribution = 0, result = 1 };

/// One warp's place in the ring. `ranks`: the number of ranks, or 0 if it is known at run time alone.
template <int ranks, class Codec, int rows>
struct Channel {
  using Form = RowForm<Codec>;
  using Ready = typename Form::Ready;

  const Ring& ring;
  std::uint32_t index;
  const Completion& completion;

  AIRAMP_DEVICE int size() const { return ranks != 0 ? ranks : ring.size; }

  /// The rank that comes `distance` (less than the size) after this one.
  AIRAMP_DEVICE int peer(int distance) const {
    const int rank = ring.rank + distance;
    return rank < size() ? rank : rank - size();
  }

  /// Where `reader` finds what `writer` has pushed in a round: the lane's vector of the first row.
  AIRAMP_DEVICE Vector* place(int reader, int writer, std::uint32_t round, Kind kind) const {
    const std::uint32_t offset =
        round % ring_slots * ring.slot_bytes + tile(reader, writer, kind) * (rows * 512u) + 16u * lane_index();
    return reinterpret_cast<Vector*>(ring.region[reader] + offset);
  }

  /// Likewise the record of the first row (any_bits.hpp).
  AIRAMP_DEVICE Vector* record(int reader, int writer, std::uint32_t round, Kind kind) const {
    const std::uint32_t offset = round % ring_slots * ring.slot_bytes + ring.record_offset +
                                 tile(reader, writer, kind) * (rows * any_bits_record_bytes);
    return reinterpret_cast<Vector*>(ring.region[reader] + offset);
  }

  /// All lanes together. `attempts`: at rows of this kind. A sum may fit where its parts do not, and the reverse.
  static AIRAMP_DEVICE void make_ready(Ready* ready, const Vector* row, Attempts& attempts) {
    Form::template make_ready<rows>(ready, row, attempts);
  }

  AIRAMP_DEVICE void push(int reader, std::uint32_t round, Kind kind, const Vector* row, Attempts& attempts) const {
    Ready ready[rows];
    make_ready(ready, row, attempts);
    push(reader, round, kind, ready);
  }

  AIRAMP_DEVICE void push(int reader, std::uint32_t round, Kind kind, const Ready* row) const {
    Vector* to = place(reader, ring.rank, round, kind);
    AIRAMP_UNROLL
    for (int u = 0; u < rows; ++u) {
      Vector* own_record = nullptr;
      if constexpr (Codec::any_bits) own_record = record(reader, ring.rank, round, kind) + 2 * u;
      Form::send(to + 32 * u, row[u], own_record);
    }
  }

  AIRAMP_DEVICE void push_token(int reader, std::uint32_t round, Kind kind) const {
    if (lane_index() == 0) store_wire<Codec::wide>(place(reader, ring.rank, round, kind), Vector{});
  }

  /// Takes data from the ranks source(i), i < count, whose bit i is set in `data`, and tokens likewise, but not of
  /// rows in a form of fewer bytes; row[i] is what they sent, zeros for the others. False if this warp is to leave.
  template <int count, class Source>
  AIRAMP_DEVICE bool take(Vector (*row)[rows], Source source, std::uint32_t data, std::uint32_t tokens,
                          std::uint32_t round, Kind kind) const {
    const std::uint32_t first_row = lane_index() == 0 ? data | tokens : data;
    AIRAMP_UNROLL
    for (int i = 0; i < count; ++i) {
      AIRAMP_UNROLL
      for (int u = 0; u < rows; ++u) row[i][u] = Vector{};
    }
    for (std::uint32_t turns = 0;; ++turns) {
      bool missing = false;
      AIRAMP_UNROLL
      for (int i = 0; i < count; ++i) {
        const Vector* from = place(ring.rank, source(i), round, kind);
        AIRAMP_UNROLL
        for (int u = 0; u < rows; ++u)
          if (((u == 0 ? first_row : data) >> i & 1u) != 0) row[i][u] = Form::load(from + 32 * u);
      }
      AIRAMP_UNROLL
      for (int i = 0; i < count; ++i) {
        AIRAMP_UNROLL
        for (int u = 0; u < rows; ++u) missing |= Form::is_missing(row[i][u]);
      }
      if (!any(missing)) break;
      if (is_told_to_leave(completion, turns)) return false;
    }
    AIRAMP_UNROLL
    for (int i = 0; i < count; ++i) {
      Vector* at = place(ring.rank, source(i), round, kind);
      AIRAMP_UNROLL
      for (int u = 0; u < rows; ++u)
        if (((u == 0 ? first_row : data) >> i & 1u) != 0) store_wire<Codec::wide>(at + 32 * u, all_holes());
    }
    AIRAMP_UNROLL
    for (int i = 0; i < count; ++i) {
      if ((data >> i & 1u) == 0) continue;
      AIRAMP_UNROLL
      for (int u = 0; u < rows; ++u)
        row[i][u] = Form::received(
            row[i][u], [&] { return record(ring.rank, source(i), round, kind) + 2 * u; }, completion);
    }
    return true;
  }

  /// Takes a token, whatever this codec's rows travel as. False if this warp is to leave.
  AIRAMP_DEVICE bool take_token(int writer, std::uint32_t round, Kind kind) const {
    Vector* at = place(ring.rank, writer, round, kind);
    const bool reads = lane_index() == 0;
    for (std::uint32_t turns = 0;; ++turns) {
      const Vector token = reads ? load_wire<Codec::wide>(at) : Vector{};
      if (!any(has_hole<Codec::wide>(token))) break;
      if (is_told_to_leave(completion, turns)) return false;
    }
    if (reads) store_wire<Codec::wide>(at, all_holes());
    return true;
  }

  /// The fence of an iteration, where slots are used again at all.
  AIRAMP_DEVICE void fence(std::uint32_t iteration) const {
    if (ring.rounds > ring_slots && iteration % 2 == 0) warp_system_fence();
  }

 private:
  /// Tiles of a slot are numbered by how far the writer comes after the reader: what a warp pushes to several ranks at
  /// once then lies at different offsets. At equal ones large messages among 4 GPUs took 4 % longer.
  AIRAMP_DEVICE std::uint32_t tile(int reader, int writer, Kind kind) const {
    const int distance = writer > reader ? writer - reader : writer - reader + size();
    return static_cast<std::uint32_t>(kind * (size() - 1) + distance - 1) * ring.channels + anew(index);
  }
};

}  // namespace airamp::gpu::device
