// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/channel.hpp"
#include "gpu/device/elements.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/start_gate.hpp"

namespace airamp::gpu::device {

/// allgather of blocks that may differ in size. Iteration j
///   loads the own tile of round j;
///   takes the others' tiles of round j-1 and stores them;
///   passes a fence, if j is even;
///   pushes its tile of round j to all and stores it.
///
/// Credit (see channel.hpp). A tile of round j replaces that of round j-4, whose holes the reader put back in his
/// iteration j-3. My last fence was in iteration f = j or j-1, f even. Before it I took the reader's tile of round f-1,
/// which he pushed in iteration f-1, after his fence of iteration f-2 >= j-3. A rank whose block ends early pushes
/// tokens in place of tiles; where no slot is used twice nobody needs them.
///
/// In place: a lane reads every vector before it stores to it.
template <int ranks, class Codec>
struct GatherWalk {
  static constexpr int rows = gather_tile_rows(ranks, ranks != 0);
  static constexpr int tile = rows * Codec::row_elements;
  static constexpr int together = ranks != 0 ? ranks : 1;  // sources that are taken from at once
  // Its own block is then as it would be natively, in place too, and may be stored before all ranks' kernels run.
  static constexpr bool lossless = Codec::any_bits;

  const GatherArguments& a;
  Channel<ranks, Codec, rows> channel;

  AIRAMP_DEVICE GatherWalk(const GatherArguments& arguments, std::uint32_t index)
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
      Vector part[rows * Codec::vectors];
      if (j < rounds) load_tile<Codec, rows>(part, a.input, first(j), a.elements[a.ring.rank], a.input_aligned);
      if (j >= 1) {
        for (int r = 0; r < channel.size(); r += together)
          if (!take(gate, j - 1, r, tokens)) return false;
      }
      if (j >= rounds) break;
      channel.fence(j);
      const bool has_tile = exists(j, a.ring.rank);
      Vector row[rows];
      encode_tile<Codec, rows>(row, part);
      AIRAMP_UNROLL_BY(together)
      for (int d = 1; (has_tile || tokens) && d < channel.size(); ++d) {
        if (has_tile)
          channel.push(channel.peer(d), j, contribution, row);
        else
          channel.push_token(channel.peer(d), j, contribution);
      }
      if (j == 0) gate.pushed(count);
      if (!lossless && j == 0 && !gate.all_started()) return false;
      if (has_tile) store(row, j, a.ring.rank);
    }
    return true;
  }

 private:
  AIRAMP_DEVICE std::uint64_t first(std::uint32_t round) const {
    return (static_cast<std::uint64_t>(round) * a.ring.channels + channel.index) * tile;
  }

  AIRAMP_DEVICE bool exists(std::uint32_t round, int source) const { return first(round) < a.elements[source]; }

  AIRAMP_DEVICE void store(const Vector* row, std::uint32_t round, int source) const {
    const std::uint64_t offset = a.offset[source];
    AIRAMP_UNROLL
    for (int u = 0; u < rows; ++u) {
      Vector decoded[Codec::vectors];
      Codec::decode(row[u], decoded);
      store_row<Codec>(decoded, a.output, offset + first(round) + u * Codec::row_elements, offset + a.elements[source],
                       (a.output_aligned >> source & 1u) != 0);
    }
  }

  /// From the ranks first_source ... first_source + together - 1.
  AIRAMP_DEVICE bool take(const StartGate& gate, std::uint32_t round, int first_source, bool tokens) const {
    Vector row[together][rows];
    std::uint32_t data = 0;
    std::uint32_t others = 0;
    AIRAMP_UNROLL
    for (int i = 0; i < together; ++i) {
      if (first_source + i == a.ring.rank) continue;
      if (exists(round, first_source + i))
        data |= 1u << i;
      else
        others |= 1u << i;
    }
    if (!channel.template take<together>(
            row, [first_source](int i) { return first_source + i; }, data, tokens ? others : 0u, round, contribution))
      return false;
    if (lossless && round == 0 && first_source == 0 && !gate.all_started()) return false;
    AIRAMP_UNROLL
    for (int i = 0; i < together; ++i) {
      if ((data >> i & 1u) != 0) store(row[i], round, first_source + i);
    }
    return true;
  }
};

}  // namespace airamp::gpu::device
