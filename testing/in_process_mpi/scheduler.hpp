// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace airamp::testing {

/// Whose memory a step reads or writes: a bit for each rank of the world. Some ranks of more than 64 share one: their
/// steps then count as touching the same memory.
using Touched = std::uint64_t;
constexpr Touched all_memory = ~Touched{0};
constexpr Touched memory_of(int rank) { return Touched{1} << rank % 64; }

/// Decides, in place of a seed, what happens next. A step of a rank is all that it does from one call that others can
/// notice (of a collective, a request that is started, waited for, tested or cancelled) up to the next one. A step of a
/// message is its arrival, which reads the sender's memory, if the bytes are still there, and writes the receiver's.
///
/// Two steps that are possible at the same time and touch no memory in common lead to the same state in either order:
/// what else is shared is a queue, of which one of them takes the front and the other one adds to the end, or a place
/// where ranks only count themselves.
class Scheduler {
 public:
  struct Step {
    int actor;  ///< a rank, or the number of ranks plus that of a stream of messages
    Touched touched;
  };

  virtual ~Scheduler() = default;

  /// Which of `steps`, of at least one, is next; `steps.size()`: the run is given up.
  virtual std::size_t choose(const std::vector<Step>& steps) = 0;

  /// Whether the next message that is sent takes its bytes with it at once, so that its send is complete.
  virtual bool takes_bytes() = 0;

  /// How long a step of a rank takes, in microseconds by that rank's clock.
  virtual std::uint64_t duration() { return 1; }
};

}  // namespace airamp::testing
