// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/device/arguments.hpp"
#include "gpu/device/channel.hpp"
#include "gpu/device/elements.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/reduce_walk.hpp"
#include "gpu/device/rows/attempts.hpp"
#include "gpu/device/start_gate.hpp"

namespace airamp::gpu::device {

/// ReduceWalk for any number of ranks, any operation and results of any length: the same order of takes, fences and
/// pushes in every iteration, and so the same proof of credit, but one peer after the other. Of a reduce_scatter, tiles
/// may be missing in other rounds than the last; contributions to them are tokens, so that there is one in every round.
template <class Codec>
struct GeneralReduceWalk {
  const ReduceArguments& a;
  Channel<0, Codec, 1> channel;
  ReduceTiles tiles;

  AIRAMP_DEVICE GeneralReduceWalk(const ReduceArguments& arguments, std::uint32_t index)
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
      Vector reduced = {};
      const bool reduces = j >= 1 && j <= rounds;
      const bool owns = reduces && tiles.exists(j - 1, a.ring.rank);
      if (owns && !reduce(reduced, j - 1)) return false;
      if (reduces && !owns && a.tokens && !take_tokens(j - 1)) return false;
      if (reads && j >= 2 && !take_results(j - 2)) return false;
      channel.fence(j);
      if (owns) {
        typename Channel<0, Codec, 1>::Ready ready;
        channel.make_ready(&ready, &reduced, result_attempts);
        for (int d = 1; d < channel.size(); ++d)
          if (tiles.reads_results(channel.peer(d))) channel.push(channel.peer(d), j - 1, result, &ready);
      }
      for (int d = 1; j < rounds && d < channel.size(); ++d) {
        const int owner = channel.peer(d);
        if (tiles.exists(j, owner)) {
          const Vector row = encoded(j, owner);
          channel.push(owner, j, contribution, &row, part_attempts);
        } else if (a.tokens) {
          channel.push_token(owner, j, contribution);
        }
      }
      if (j == 0) gate.pushed(count);
      if (j == 1 && !gate.all_started()) return false;
      if (owns && a.keeps) store(reduced, j - 1, a.ring.rank);
    }
    return true;
  }

 private:
  AIRAMP_DEVICE Vector encoded(std::uint32_t round, int owner) const {
    Vector part[Codec::vectors];
    load_tile<Codec, 1>(part, a.input, tiles.first(round, owner), tiles.end(owner), a.input_aligned);
    return Codec::encode(part);
  }

  AIRAMP_DEVICE void store(const Vector& row, std::uint32_t round, int owner) const {
    Vector decoded[Codec::vectors];
    Codec::decode(row, decoded);
    store_row<Codec>(decoded, a.output, tiles.first(round, owner) - a.output_shift, tiles.end(owner) - a.output_shift,
                     a.output_aligned);
  }

  AIRAMP_DEVICE bool reduce(Vector& reduced, std::uint32_t round) const {
    const Vector mine = encoded(round, a.ring.rank);
    typename Codec::Accumulator accumulators[Codec::width];
    for (int r = 0; r < channel.size(); ++r) {
      Vector row[1][1] = {{mine}};
      if (r != a.ring.rank && !channel.template take<1>(
                                  row, [r](int) { return r; }, 1, 0, round, contribution))
        return false;
      if (r == 0)
        Codec::start(a.op, accumulators, row[0][0]);
      else
        Codec::add(a.op, accumulators, row[0][0]);
    }
    reduced = Codec::finish(accumulators);
    return true;
  }

  AIRAMP_DEVICE bool take_tokens(std::uint32_t round) const {
    for (int d = 1; d < channel.size(); ++d)
      if (!channel.take_token(channel.peer(d), round, contribution)) return false;
    return true;
  }

  AIRAMP_DEVICE bool take_results(std::uint32_t round) const {
    for (int d = 1; d < channel.size(); ++d) {
      const int owner = channel.peer(d);
      if (!tiles.exists(round, owner)) continue;
      Vector row[1][1];
      if (!channel.template take<1>(
              row, [owner](int) { return owner; }, 1, 0, round, result))
        return false;
      store(row[0][0], round, owner);
    }
    return true;
  }
};

}  // namespace airamp::gpu::device
