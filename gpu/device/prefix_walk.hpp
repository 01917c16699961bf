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

/// Two-shot scan and exscan, for any number of ranks and any operation. The ranks own the tiles in turn. An owner
/// accumulates the contributions in rank order, and each rank's prefix is what has come together before or after that
/// rank's own. Rank 0 has no need of the owners: its prefix is its own vector, or nothing. Iteration j
///   takes the owners' prefixes of round j-2 and stores them (rank 0: tokens);
///   passes a fence;
///   takes the contributions to its own tile of round j-1, and pushes to each rank its prefix as soon as it is known;
///   pushes the parts of round j to their owners;
///   stores its own prefix of round j-1.
///
/// Credit (see channel.hpp), with a fence in every iteration, as what is taken after it is put back after it. A
/// contribution of round j replaces that of round j-4, whose holes the owner put back in his iteration j-3. Before my
/// fence of iteration j I took his prefix (or token) of round j-2, which he pushed in his iteration j-1, after his
/// fence of that iteration. A prefix of round j-1 replaces that of round j-5, whose holes the reader put back in
/// iteration j-3 too: the same proof. Tiles are missing in the last round alone, so what the proof takes is always
/// there. Where no slot is used twice nobody needs tokens.
///
/// In place: a lane reads every vector before it stores to it.
template <class Codec>
struct PrefixWalk {
  const PrefixArguments& a;
  Channel<0, Codec, 1> channel;

  AIRAMP_DEVICE PrefixWalk(const PrefixArguments& arguments, std::uint32_t index)
      : a(arguments), channel{arguments.ring, index, arguments.completion} {}

  /// False: it was to leave, and is not done.
  AIRAMP_DEVICE bool walk(const StartGate& gate) const {
    const std::uint32_t rounds = a.ring.rounds;
    if (rounds == 0) return true;
    const StartGate::Count count = gate.begin();
    if (!gate.may_push(count)) return false;
    Attempts part_attempts, prefix_attempts;
    for (std::uint32_t j = 0; j < rounds + 2; ++j) {
      in_step();
      if (j >= 2 && !take_prefixes(j - 2)) return false;
      channel.fence(0);
      Vector own = {};
      const bool owns = j >= 1 && j <= rounds && exists(j - 1, a.ring.rank);
      if (owns && !accumulate(own, j - 1, prefix_attempts)) return false;
      for (int d = 1; j < rounds && d < channel.size(); ++d) {
        const int owner = channel.peer(d);
        if (!exists(j, owner)) continue;
        const Vector row = encoded(j, owner);
        channel.push(owner, j, contribution, &row, part_attempts);
        // as it would be natively, and so even before all ranks' kernels run
        if (a.ring.rank == 0 && !a.exclusive) store(row, j, owner);
      }
      if (j == 0) gate.pushed(count);
      if (j == 1 && !gate.all_started()) return false;
      if (owns && gets_result()) store(own, j - 1, a.ring.rank);
    }
    return true;
  }

 private:
  AIRAMP_DEVICE bool gets_result() const { return a.ring.rank > 0 || !a.exclusive; }

  AIRAMP_DEVICE bool has_tokens() const { return a.ring.rounds > ring_slots; }

  /// The first element of an owner's tile.
  AIRAMP_DEVICE std::uint64_t first(std::uint32_t round, int owner) const {
    const std::uint64_t index = static_cast<std::uint64_t>(round) * a.ring.channels + channel.index;
    return (index * static_cast<std::uint32_t>(channel.size()) + static_cast<std::uint32_t>(owner)) *
           Codec::row_elements;
  }

  AIRAMP_DEVICE bool exists(std::uint32_t round, int owner) const { return first(round, owner) < a.elements; }

  AIRAMP_DEVICE Vector encoded(std::uint32_t round, int owner) const {
    Vector part[Codec::vectors];
    load_tile<Codec, 1>(part, a.input, first(round, owner), a.elements, a.input_aligned);
    return Codec::encode(part);
  }

  AIRAMP_DEVICE void store(const Vector& row, std::uint32_t round, int owner) const {
    Vector decoded[Codec::vectors];
    Codec::decode(row, decoded);
    store_row<Codec>(decoded, a.output, first(round, owner), a.elements, a.output_aligned);
  }

  /// `own`: this rank's prefix of its own tile.
  AIRAMP_DEVICE bool accumulate(Vector& own, std::uint32_t round, Attempts& attempts) const {
    const Vector mine = encoded(round, a.ring.rank);
    typename Codec::Accumulator accumulators[Codec::width];
    for (int r = 0; r < channel.size(); ++r) {
      Vector row[1][1] = {{mine}};
      if (r != a.ring.rank && !channel.template take<1>(
                                  row, [r](int) { return r; }, 1, 0, round, contribution))
        return false;
      Vector prefix = {};
      if (a.exclusive && r > 0) prefix = Codec::finish(accumulators);
      if (r == 0)
        Codec::start(a.op, accumulators, row[0][0]);
      else
        Codec::add(a.op, accumulators, row[0][0]);
      if (!a.exclusive) prefix = Codec::finish(accumulators);
      if (r == a.ring.rank)
        own = prefix;
      else if (r > 0)
        channel.push(r, round, result, &prefix, attempts);
      else if (has_tokens())
        channel.push_token(r, round, result);
    }
    return true;
  }

  AIRAMP_DEVICE bool take_prefixes(std::uint32_t round) const {
    for (int d = 1; d < channel.size(); ++d) {
      const int owner = channel.peer(d);
      if (!exists(round, owner)) continue;
      if (a.ring.rank == 0) {
        if (has_tokens() && !channel.take_token(owner, round, result)) return false;
        continue;
      }
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
