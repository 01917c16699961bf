// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/channel.hpp"
#include "gpu/device/elements.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/rows/attempts.hpp"
#include "gpu/device/start_gate.hpp"

namespace airamp::gpu::device {

/// The tiles that a channel walks in a reduction.
struct ReduceTiles {
  const ReduceArguments& a;
  std::uint32_t channel;

  AIRAMP_DEVICE std::uint64_t first(std::uint32_t round, int owner) const {
    return (static_cast<std::uint64_t>(round) * a.ring.channels + channel) * a.index_step + a.begin[owner];
  }
  AIRAMP_DEVICE std::uint64_t end(int owner) const { return a.end[owner]; }
  AIRAMP_DEVICE bool exists(std::uint32_t round, int owner) const { return first(round, owner) < end(owner); }
  AIRAMP_DEVICE bool reads_results(int rank) const { return (a.readers >> rank & 1u) != 0; }
  /// Of this rank.
  AIRAMP_DEVICE std::uint32_t iterations() const { return a.ring.rounds + (reads_results(a.ring.rank) ? 2 : 1); }
};

/// Two-shot allreduce, reduce and reduce_scatter(_block) of sums for 2, 4 or 8 ranks, where speed matters. Iteration j
///   loads its own parts of round j, for the other owners;
///   takes the contributions to its own tile of round j-1, reduces them in rank order;
///   takes the other owners' results of round j-2 and stores them;
///   passes a fence, if j is even;
///   pushes its result of round j-1 to those who read it, and the parts of round j to their owners, straight from
///   registers;
///   stores its result of round j-1; if that is the first, once all ranks' kernels are known to run.
/// So all stages run at any time, on different warps.
///
/// Credit (see channel.hpp). A contribution of round j replaces that of round j-4, whose holes the reader put back in
/// his iteration j-3. My last fence was in iteration f = j or j-1, f even. Before it I took the reader's contribution
/// of round f-1, which he pushed in iteration f-1, after his fence of iteration f-2 >= j-3. A result of round j-1
/// replaces that of round j-5, whose holes the reader put back in iteration j-3 too: the same proof. Tiles are missing
/// in the last round alone, so what the proof takes is always there: my tile of round f-1, as I own one of round j-1,
/// or that round comes before the last. Of a reduce the root may own no tiles; it has taken the reader's result of
/// round f-2 instead, which he pushed in iteration f-1 as well.
///
/// In place: a lane reads every vector before it stores to it.
template <int ranks, class Codec>
struct ReduceWalk {
  static constexpr int rows = reduce_tile_rows(ranks, true, Codec::row_elements);
  static constexpr int vectors = rows * Codec::vectors;
  static constexpr std::uint32_t everybody = (1u << ranks) - 1;

  const ReduceArguments& a;
  Channel<ranks, Codec, rows> channel;
  ReduceTiles tiles;

  AIRAMP_DEVICE ReduceWalk(const ReduceArguments& arguments, std::uint32_t index)
      : a(arguments), channel{arguments.ring, index, arguments.completion}, tiles{arguments, index} {}

  /// False: it was to leave, and is not done.
  AIRAMP_DEVICE bool walk(const StartGate& gate) const {
    const std::uint32_t rounds = a.ring.rounds;
    const std::uint32_t iterations = tiles.iterations();
    const bool reads = tiles.reads_results(a.ring.rank);
    const StartGate::Count count = gate.begin();
    if (!gate.may_push(count)) return false;
    Attempts part_attempts, result_attempts;
    for (std::uint32_t j = 0; j < iterations; ++j) {
      in_step();
      Vector parts[ranks - 1][vectors];
      if (j < rounds) {
        AIRAMP_UNROLL
        for (int d = 1; d < ranks; ++d) load(parts[d - 1], j, channel.peer(d));
      }
      Vector sum[rows];
      // Branches around warp operations depend on j alone; a tile that does not exist only loses its loads and stores.
      const bool reduces = j >= 1 && j <= rounds;
      const bool owns = reduces && tiles.exists(j - 1, a.ring.rank);
      if (reduces && !reduce(sum, j - 1, owns)) return false;
      if (reads && j >= 2 && !take_results(j - 2)) return false;
      channel.fence(j);
      if (owns) {
        typename Channel<ranks, Codec, rows>::Ready ready[rows];
        channel.make_ready(ready, sum, result_attempts);
        AIRAMP_UNROLL
        for (int d = 1; d < ranks; ++d)
          if (tiles.reads_results(channel.peer(d))) channel.push(channel.peer(d), j - 1, result, ready);
      }
      if (j < rounds) {
        AIRAMP_UNROLL
        for (int d = 1; d < ranks; ++d) {
          Vector row[rows];
          encode_tile<Codec, rows>(row, parts[d - 1]);
          if (tiles.exists(j, channel.peer(d))) channel.push(channel.peer(d), j, contribution, row, part_attempts);
        }
      }
      if (j == 0) gate.pushed(count);
      if (j == 1 && !gate.all_started()) return false;
      if (owns && a.keeps) store_result(sum, j - 1, a.ring.rank);
    }
    return true;
  }

 private:
  AIRAMP_DEVICE void load(Vector* part, std::uint32_t round, int owner) const {
    load_tile<Codec, rows>(part, a.input, tiles.first(round, owner), tiles.end(owner), a.input_aligned);
  }

  /// The owner, too, stores what it sends.
  AIRAMP_DEVICE void store_result(const Vector* row, std::uint32_t round, int owner) const {
    AIRAMP_UNROLL
    for (int u = 0; u < rows; ++u) {
      Vector decoded[Codec::vectors];
      Codec::decode(row[u], decoded);
      store_row<Codec>(decoded, a.output, tiles.first(round, owner) + u * Codec::row_elements - a.output_shift,
                       tiles.end(owner) - a.output_shift, a.output_aligned);
    }
  }

  AIRAMP_DEVICE bool reduce(Vector* sum, std::uint32_t round, bool owns) const {
    Vector own[vectors];
    Vector row[ranks][rows];
    load(own, round, a.ring.rank);
    const std::uint32_t others = everybody & ~(1u << a.ring.rank);
    if (!channel.template take<ranks>(
            row, [](int i) { return i; }, owns ? others : 0u, 0u, round, contribution))
      return false;
    AIRAMP_UNROLL
    for (int u = 0; u < rows; ++u) {
      const Vector mine = Codec::encode(own + u * Codec::vectors);  // rounded like the others' contributions
      typename Codec::Accumulator accumulators[Codec::width];
      AIRAMP_UNROLL
      for (int r = 0; r < ranks; ++r) {
        Vector theirs;
        AIRAMP_UNROLL
        for (int i = 0; i < 4; ++i) theirs.word[i] = r == a.ring.rank ? mine.word[i] : row[r][u].word[i];
        if (r == 0)
          Codec::start(ReduceOp::sum, accumulators, theirs);
        else
          Codec::add(ReduceOp::sum, accumulators, theirs);
      }
      sum[u] = Codec::finish(accumulators);
    }
    return true;
  }

  AIRAMP_DEVICE bool take_results(std::uint32_t round) const {
    Vector row[ranks - 1][rows];
    std::uint32_t from = 0;
    AIRAMP_UNROLL
    for (int d = 1; d < ranks; ++d) from |= tiles.exists(round, channel.peer(d)) ? 1u << (d - 1) : 0u;
    if (!channel.template take<ranks - 1>(
            row, [this](int i) { return channel.peer(i + 1); }, from, 0u, round, result))
      return false;
    AIRAMP_UNROLL
    for (int d = 1; d < ranks; ++d) store_result(row[d - 1], round, channel.peer(d));
    return true;
  }
};

}  // namespace airamp::gpu::device
