// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/copy_words.hpp"
#include "base/fetch_to_write.hpp"
#include "pmpi/group/host/host_meeting.hpp"
#include "pmpi/mpi/spin.hpp"

namespace airamp::pmpi {

/// Short messages that one of the ranks of a host leaves for all others in memory that they share, and goes on: nobody
/// waits but who comes before the message. So a broadcast holds up no rank that natively would not wait either, and
/// what its root alone knows - the length, whether the data are to go this way - it says to the others in it.
///
/// Messages are numbered: every rank takes part in message n, in the same order, and knows whose it is. There are
/// places for some; who leaves message n has seen that all ranks are done with the one that its place had before. Where
/// some rank is not, for longer than the one who leaves it wants to wait, that rank writes down that it has left none,
/// and for a while, which is ever longer, nobody looks: what it has written is never overwritten, so that a rank finds
/// it however late it comes.
///
/// Used by one thread at a time, as MPI demands of the collectives of one communicator.
class BroadcastRing {
 public:
  /// Of one message.
  static constexpr std::size_t max_bytes = 8191;

  /// What it needs of shared memory, aligned to 128 bytes, for so many ranks.
  static std::size_t shared_bytes(int size) noexcept;

  /// A message; `bytes` is 0 if none was left, `data` is nullptr if none will be: the meeting has failed.
  struct Message {
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
  };

  /// Of a message.
  struct Part {
    std::size_t begin = 0;  ///< bytes before it
    std::size_t bytes = 0;
  };

  /// `memory` is zero before the first rank uses it. `meeting`: of the same ranks.
  BroadcastRing(std::byte* memory, HostMeeting& meeting, int rank, int size) noexcept;

  /// Goes on to the next message. Whether the ranks look for one, the same on all of them: if so, one of those
  /// that follow here must.
  bool next() noexcept;

  /// Leaves the message, or says that there is none (`bytes` is 0). Only if there is room, for which one can wait. In
  /// one piece: the others look at where it begins, and each look takes those cache lines from who writes there.
  void leave(const void* data, std::size_t bytes) noexcept;
  bool has_room() noexcept { return number_ <= done_by_all_ + places || all_are_done(); }
  bool wait_for_room(double patience_seconds) noexcept;

  /// How many messages there have been, and whether all of them were left.
  std::uint64_t messages() const noexcept { return number_; }
  bool all_were_left() const noexcept { return absent_ == 0; }

  /// Leaves no message, for want of room.
  void leave_none() noexcept;

  /// Waits for the message of another rank. What it returns holds until `taken`, which must follow.
  Message take(int from) noexcept;
  void taken() noexcept;

  /// The same if it is there, or comes while this rank waits for some microseconds. If not, without `data`, and `take`
  /// must follow.
  Message come_soon() const noexcept;
  /// Copies a part of the message of another rank if that has so many bytes and comes as soon. If not, `take` must
  /// follow.
  bool take_soon(void* to, const Part& part, std::size_t bytes) noexcept;
  /// Whether that rank says that there is none, as soon. If not, `take` must follow.
  bool nothing_comes_soon() noexcept;

  /// The same of one more message, right after a meeting: all ranks are done with those before it, and know that it is
  /// left.
  void leave_for_all(const void* data, std::size_t bytes) noexcept;
  Message take_with_all(int from) noexcept;

 private:
  /// Where every 16th message lies, once `number` is its number. Short ones lie in the same line as that.
  struct alignas(128) Place {
    std::atomic<std::uint64_t> number;
    std::uint64_t bytes;
    std::array<std::byte, max_bytes> data;
  };

  /// The latest message that a rank has done with.
  struct alignas(128) Done {
    std::atomic<std::uint64_t> number;
  };

  struct Absences;

  Place& place() const noexcept { return places_[number_ % places]; }
  bool is_there() const noexcept { return place().number.load(std::memory_order_acquire) == number_; }
  static void copy(void* to, const void* from, std::size_t bytes) noexcept;
  bool is_absent() const noexcept;
  void look_away() noexcept;
  bool all_are_done() noexcept;

  static constexpr std::size_t places = 16;

  /// A place is fetched for writing so many messages before its turn: where they follow each other at once, it takes
  /// longer to come than the next one to be left.
  static constexpr std::size_t fetched_ahead = 4;

  Place* places_;
  Absences* absences_;
  Done* done_;  ///< by rank
  HostMeeting& meeting_;
  int rank_;
  int size_;
  std::uint64_t number_ = 0;          ///< of the latest message
  std::uint64_t done_by_all_ = 0;     ///< at least, as far as this rank knows
  std::uint64_t looks_again_at_ = 0;  ///< from this message on
  unsigned absent_ = 0;               ///< messages that were written down as not left
};

// Inline: what every short call needs.

inline bool BroadcastRing::next() noexcept {
  ++number_;
  if (number_ >= looks_again_at_) return true;
  taken();
  return false;
}

inline void BroadcastRing::taken() noexcept {
  done_[rank_].number.store(number_, std::memory_order_release);  // what was read there may be overwritten
}

inline void BroadcastRing::copy(void* to, const void* from, std::size_t bytes) noexcept {
  constexpr std::size_t few_bytes = 64;
  if (bytes <= few_bytes && bytes % 4 == 0) return base::copy_words(to, from, bytes);
  std::memcpy(to, from, bytes);
}

inline void BroadcastRing::leave(const void* data, std::size_t bytes) noexcept {
  Place& own = place();
  own.bytes = bytes;
  copy(own.data.data(), data, bytes);
  own.number.store(number_, std::memory_order_release);
  taken();
  base::fetch_to_write(&places_[(number_ + fetched_ahead) % places]);
}

inline BroadcastRing::Message BroadcastRing::come_soon() const noexcept {
  const Place& sent = place();
  for (Spin spin; !is_there();) {
    if (is_absent() || spin.once()) return {};
  }
  return {.data = sent.data.data(), .bytes = sent.bytes};
}

inline bool BroadcastRing::nothing_comes_soon() noexcept {
  const Message message = come_soon();
  if (message.data == nullptr || message.bytes != 0) return false;
  taken();
  return true;
}

inline bool BroadcastRing::take_soon(void* to, const Part& part, std::size_t bytes) noexcept {
  const Message message = come_soon();
  if (message.data == nullptr || message.bytes != bytes) return false;
  copy(to, message.data + part.begin, part.bytes);
  taken();
  return true;
}

}  // namespace airamp::pmpi
