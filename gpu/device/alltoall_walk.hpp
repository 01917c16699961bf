// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/channel.hpp"
#include "gpu/device/elements.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/start_gate.hpp"

namespace airamp::gpu::device {

/// alltoallv, without loss: every rank has a block for every rank, of any length. Iteration j
///   loads the tiles of round j, where the number of ranks is known to the compiler;
///   takes the others' tiles of round j-1 and stores them;
///   passes a fence, if j is even;
///   pushes its tile of round j for each of the others, and stores that for itself.
///
/// Credit: as in an allgather (gather_walk.hpp). A pair whose block ends early, in either direction, has tokens in
/// place of tiles; where no slot is used twice nobody needs them.
///
/// In place, what goes to a rank lies where what comes from it is to lie: a tile is loaded in an iteration before that
/// in which its successor is stored, by the same warp.
template <int ranks, class Codec>
struct AlltoallWalk {
  static_assert(Codec::any_bits && Codec::vectors == 1);
  static constexpr int rows = gather_tile_rows(ranks, ranks != 0);
  static constexpr int tile = rows * Codec::row_elements;
  static constexpr int together = ranks != 0 ? ranks : 1;  // ranks whose tiles are in registers at once

  const AlltoallArguments& a;
  Channel<ranks, Codec, rows> channel;

  AIRAMP_DEVICE AlltoallWalk(const AlltoallArguments& arguments, std::uint32_t index)
      : a(arguments), channel{arguments.ring, index, arguments.completion} {}

  /// False: it was to leave, and is not done.
  AIRAMP_DEVICE bool walk(const StartGate& gate) const {
    const std::uint32_t rounds = a.ring.rounds;
    if (rounds == 0) return true;
    const bool tokens = rounds > ring_slots;
    const StartGate::Count count = gate.begin();
    if (!gate.may_push(count)) return false;
    for (std::uint32_t j = 0; j <= rounds; ++j) {
      in_step();
      Vector part[together][rows];
      if (ranks != 0 && j < rounds) load(part, j, 0);
      for (int d = 0; j >= 1 && d < channel.size(); d += together)
        if (!take(gate, j - 1, d, tokens)) return false;
      if (j >= rounds) break;
      channel.fence(j);
      for (int d = 0; d < channel.size(); d += together) {
        if (ranks == 0) load(part, j, d);
        give(part, j, d, tokens);
      }
      if (j == 0) gate.pushed(count);
    }
    return true;
  }

 private:
  AIRAMP_DEVICE std::uint64_t first(std::uint32_t round) const {
    return (static_cast<std::uint64_t>(round) * a.ring.channels + channel.index) * tile;
  }

  /// The tiles for the ranks at `distance` ... distance + together - 1, this rank's own at 0.
  AIRAMP_DEVICE void load(Vector (*part)[rows], std::uint32_t round, int distance) const {
    AIRAMP_UNROLL
    for (int i = 0; i < together; ++i) {
      const int rank = channel.peer(distance + i);
      load_tile<Codec, rows>(part[i], a.input + a.sent_offset[rank], first(round), a.sent_elements[rank],
                             (a.input_aligned >> rank & 1u) != 0);
    }
  }

  /// Likewise.
  AIRAMP_DEVICE void give(Vector (*part)[rows], std::uint32_t round, int distance, bool tokens) const {
    AIRAMP_UNROLL
    for (int i = 0; i < together; ++i) {
      const int rank = channel.peer(distance + i);
      const bool has_tile = first(round) < a.sent_elements[rank];
      Vector row[rows];
      encode_tile<Codec, rows>(row, part[i]);
      if (distance + i == 0) {
        // as it would be natively, and so even before all ranks' kernels run
        if (has_tile) store(row, round, rank);
      } else if (has_tile) {
        channel.push(rank, round, contribution, row);
      } else if (tokens) {
        channel.push_token(rank, round, contribution);
      }
    }
  }

  AIRAMP_DEVICE void store(const Vector* row, std::uint32_t round, int source) const {
    AIRAMP_UNROLL
    for (int u = 0; u < rows; ++u) {
      Vector decoded[Codec::vectors];
      Codec::decode(row[u], decoded);
      store_row<Codec>(decoded, a.output + a.offset[source], first(round) + u * Codec::row_elements, a.room[source],
                       (a.output_aligned >> source & 1u) != 0);
    }
  }

  /// From the ranks at `distance` ... distance + together - 1.
  AIRAMP_DEVICE bool take(const StartGate& gate, std::uint32_t round, int distance, bool tokens) const {
    Vector row[together][rows];
    std::uint32_t data = 0;
    std::uint32_t others = 0;
    AIRAMP_UNROLL
    for (int i = 0; i < together; ++i) {
      if (distance + i == 0) continue;
      if (first(round) < a.elements[channel.peer(distance + i)])
        data |= 1u << i;
      else
        others |= 1u << i;
    }
    if (!channel.template take<together>(
            row, [this, distance](int i) { return channel.peer(distance + i); }, data, tokens ? others : 0u, round,
            contribution))
      return false;
    if (round == 0 && distance == 0 && !gate.all_started()) return false;
    AIRAMP_UNROLL
    for (int i = 0; i < together; ++i)
      if ((data >> i & 1u) != 0) store(row[i], round, channel.peer(distance + i));
    return true;
  }
};

}  // namespace airamp::gpu::device
