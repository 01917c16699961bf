// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/channel.hpp"
#include "gpu/device/elements.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/start_gate.hpp"

namespace airamp::gpu::device {

/// bcast. The root scatters tiles to the others, their owners, who pass them on to each other: every GPU sends and
/// receives each element about once. Iteration j
///   takes the root's contribution of round j-1 (an owner) and stores it;
///   takes the results of round j-2 of the other owners and stores them (the root: tokens);
///   passes a fence, if j is even;
///   pushes the own tile of round j-1 to the other owners, and a token to the root; the root: the tiles of round j, the
///   first of which it has loaded before it waits.
///
/// Credit (see channel.hpp). What is pushed in iteration j replaces something whose holes the reader put back in his
/// iteration j-3: a contribution of round j-4, or a result of round j-5. My last fence was in iteration f = j or j-1, f
/// even. The root, and owners towards each other: before it I took the reader's result (or token) of round f-2, which
/// he pushed in iteration f-1, after his fence of iteration f-2 >= j-3. An owner towards the root: before it I took the
/// root's contribution of round f-1, which it pushed in iteration f-1, likewise. Tiles, and tokens with them, are
/// missing in the last round alone.
template <int ranks, class Codec>
struct BroadcastWalk {
  static constexpr int rows = broadcast_tile_rows(ranks, ranks != 0);
  static constexpr int tile = rows * Codec::row_elements;

  const BroadcastArguments& a;
  Channel<ranks, Codec, rows> channel;

  AIRAMP_DEVICE BroadcastWalk(const BroadcastArguments& arguments, std::uint32_t index)
      : a(arguments), channel{arguments.ring, index, arguments.completion} {}

  /// False: it was to leave, and is not done.
  AIRAMP_DEVICE bool walk(const StartGate& gate) const {
    return a.ring.rank == a.root ? walk_of_root(gate) : walk_of_owner(gate);
  }

 private:
  /// The first element of an owner's tile.
  AIRAMP_DEVICE std::uint64_t first(std::uint32_t round, int owner) const {
    const int owners = channel.size() - 1;
    const int place = owner - a.root - 1 + (owner < a.root ? channel.size() : 0);
    return ((static_cast<std::uint64_t>(round) * a.ring.channels + channel.index) * owners + place) * tile;
  }

  AIRAMP_DEVICE bool exists(std::uint32_t round, int owner) const { return first(round, owner) < a.elements; }

  AIRAMP_DEVICE void load(Vector* part, std::uint32_t round, int owner) const {
    load_tile<Codec, rows>(part, a.buffer, first(round, owner), a.elements, a.aligned);
  }

  AIRAMP_DEVICE void store(const Vector* row, std::uint32_t round, int owner) const {
    AIRAMP_UNROLL
    for (int u = 0; u < rows; ++u) {
      Vector decoded[Codec::vectors];
      Codec::decode(row[u], decoded);
      store_row<Codec>(decoded, a.buffer, first(round, owner) + u * Codec::row_elements, a.elements, a.aligned);
    }
  }

  AIRAMP_DEVICE bool walk_of_root(const StartGate& gate) const {
    const std::uint32_t rounds = a.ring.rounds;
    const StartGate::Count count = gate.begin();
    if (!gate.may_push(count)) return false;
    for (std::uint32_t j = 0; j < rounds + 2; ++j) {
      in_step();
      Vector part[rows * Codec::vectors];
      if (j < rounds) load(part, j, channel.peer(1));
      if (j == 1 && !gate.all_started()) return false;
      for (int d = 1; j >= 2 && d < channel.size(); ++d) {
        if (!exists(j - 2, channel.peer(d))) continue;
        Vector token[1][rows];
        if (!channel.template take<1>(
                token, [&](int) { return channel.peer(d); }, 0, 1, j - 2, result))
          return false;
      }
      channel.fence(j);
      for (int d = 1; j < rounds && d < channel.size(); ++d) {
        const int owner = channel.peer(d);
        if (!exists(j, owner)) continue;
        if (d > 1) load(part, j, owner);
        Vector row[rows];
        encode_tile<Codec, rows>(row, part);
        channel.push(owner, j, contribution, row);
      }
      if (j == 0) gate.pushed(count);
    }
    return true;
  }

  AIRAMP_DEVICE bool walk_of_owner(const StartGate& gate) const {
    const std::uint32_t rounds = a.ring.rounds;
    gate.pushed(gate.begin());  // it pushes nothing before it has taken something
    for (std::uint32_t j = 0; j < rounds + 2; ++j) {
      in_step();
      const bool owns = j >= 1 && j <= rounds && exists(j - 1, a.ring.rank);
      Vector own[1][rows] = {};
      if (owns) {
        if (!channel.template take<1>(
                own, [this](int) { return a.root; }, 1, 0, j - 1, contribution))
          return false;
      }
      if (j == 1 && !gate.all_started()) return false;
      if (owns) store(own[0], j - 1, a.ring.rank);
      for (int d = 1; j >= 2 && d < channel.size(); ++d) {
        const int owner = channel.peer(d);
        if (owner == a.root || !exists(j - 2, owner)) continue;
        Vector row[1][rows];
        if (!channel.template take<1>(
                row, [owner](int) { return owner; }, 1, 0, j - 2, result))
          return false;
        store(row[0], j - 2, owner);
      }
      channel.fence(j);
      for (int d = 1; owns && d < channel.size(); ++d) {
        const int reader = channel.peer(d);
        if (reader == a.root)
          channel.push_token(reader, j - 1, result);
        else
          channel.push(reader, j - 1, result, own[0]);
      }
    }
    return true;
  }
};

}  // namespace airamp::gpu::device
