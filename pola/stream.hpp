// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "pola/signature.hpp"

namespace airamp::pola {

class Learner;

/// Learns the pattern of one communicator's collective calls and predicts the next one.
///
/// Whatever it answers follows from the sequence of signatures alone, in integer arithmetic: ranks that observe the
/// same sequence hold the same state after each call, whatever their clocks, addresses and allocators do. The one
/// exception is memory: a stream that cannot get any says so by failed(), on that rank alone, and freezes.
///
/// At most 64 KiB, allocated as it learns; a stream that has observed nothing owns no memory. Not thread-safe.
/// docs/pola.md describes the method and its sources.
class Stream {
 public:
  struct Rules {
    /// Fewest events before a lock, and the number of latest predictions that are judged; 20 to 50, taken as the
    /// nearest of those if outside.
    std::size_t lock_events = 32;
  };

  enum class State {
    learning,  ///< not locked so far
    locked,    ///< the pattern holds
    broken     ///< was locked, the pattern ended, learning again
  };

  struct Counters {
    std::uint64_t events = 0;  ///< calls observed
    std::uint64_t hits = 0;    ///< of the calls that came while locked: those that were expected
    std::uint64_t misses = 0;  ///< of the calls that came while locked: the others
    std::uint64_t locks = 0;
    std::uint64_t breaks = 0;
  };

  explicit Stream(const Rules& rules);
  Stream() : Stream(Rules{}) {}
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;
  ~Stream();

  /// Takes the next call. False if the stream has failed, now or before; nothing changes then.
  bool observe(Signature signature) noexcept;

  /// Whether memory ran out on this rank. The stream stays as it was before that call and observes no more, so ranks
  /// that did not fail go on without it: whoever acts on state() together with other ranks has to agree on failed()
  /// with them.
  bool failed() const { return failed_; }

  State state() const { return state_; }

  /// Smallest number of events after which the sequence repeats, if the last two such periods, and no fewer than
  /// lock_events events, repeat without exception; else 0.
  std::size_t period() const;

  /// The signature that is predicted for the next call, locked or not; none while nothing is known.
  std::optional<Signature> expected() const;

  /// While locked: whether the signature is a recurring part of the pattern, seen at least twice in the last 512 events
  /// or once in the last period. False while not locked.
  bool recurs(Signature signature) const;

  /// Share of right predictions, 0 to 1; each weighs 1/16 less than the one after it. 0 before the first event.
  double confidence() const;

  /// A hash of the last four events: names the place in the pattern, for what the caller keeps per place. Comparable
  /// within this stream only.
  std::uint64_t place() const;

  const Counters& counters() const { return counters_; }

 private:
  void judge(bool hit);

  std::size_t lock_events_;
  std::unique_ptr<Learner> learner_;
  Counters counters_;
  State state_ = State::learning;
  bool failed_ = false;
};

/// "learning", "locked" or "broken".
const char* name_of(Stream::State state);

}  // namespace airamp::pola
