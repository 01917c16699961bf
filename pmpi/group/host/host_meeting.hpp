// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/fetch_to_write.hpp"
#include "pmpi/group/host/start_vote.hpp"
#include "pmpi/group/memory/shared_segment.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/mpi_progress.hpp"
#include "pmpi/mpi/result.hpp"
#include "pmpi/mpi/spin.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {

/// The ranks of a communicator, all on one host, meet in shared memory: each says a word and hears the others'. A
/// meeting is an agreement (docs/architecture.md, law 1) for less than a microsecond, and a barrier with release and
/// acquire order: what a rank has seen to be complete before it, no rank finds incomplete after it.
///
/// Who waits here keeps the MPI library going: a rank that is late may still need our side to complete a message. A
/// rank whose process has ended is not waited for: each holds a lock on the shared memory, which the operating system
/// takes from it then. Used by one thread at a time, as MPI demands of the collectives of one communicator.
///
/// A meeting before a call that natively a rank may leave before all have come can be closed by who has waited for
/// longer than it wants to: it has then not taken place, for anybody, and who comes later need not wait. Whether it is
/// closed is settled in the cell of the rank that is late: there it comes, or is told that it need not.
///
/// A program that breaks MPI's rules may have one rank wait here and another one in the MPI library, for each other:
/// each sees another call. So who goes by without a meeting says so, and who has waited for it for some milliseconds
/// closes the meeting and follows: what comes of it is what natively does. From then on that rank is a meeting behind,
/// and each one is closed so. Or ranks come to the same meeting before different calls, for one of them has passed by
/// more calls than another: so words count as different between ranks that have not passed by equally many. (Proven of
/// any passes: tests/protocol/passing.pml.)
///
/// What a rank says is in a cell of two cache lines, and so are a few bytes of data: who finds the word in its cache
/// has the data as well, so that an exchange of some numbers costs no more than the agreement on it.
class alignas(64) HostMeeting {
 public:
  static constexpr int max_ranks = 256;
  /// Bytes of data beside a rank's word.
  static constexpr std::size_t max_data_bytes = 104;
  /// Bytes from one rank's data of a meeting to the next rank's. Who reads cells that lie close to each other has its
  /// processor fetch more of them than it asks for: cells of other ranks that are about to write them, who then wait to
  /// get them back. Next to each other, an allreduce of 8 B of 32 ranks takes twice as long. No power of two: all cells
  /// of a meeting stay in a first-level cache.
  static constexpr std::size_t data_stride = 2304;

  /// How a rank waits in a meeting that may be closed.
  struct Patience {
    double seconds = 0;  ///< for each of the others; infinite: it closes no meeting
    int first = -1;      ///< for this rank it waits as long as it takes, before all others; -1: for none
  };

  /// What each rank said, by rank; beyond the communicator's size nothing.
  using Words = std::array<std::uint64_t, max_ranks>;

  HostMeeting() = default;
  ~HostMeeting() { close(); }
  HostMeeting(const HostMeeting&) = delete;
  HostMeeting& operator=(const HostMeeting&) = delete;

  /// Collective over the sharers' communicator. `rank` and `size`: among those who meet, at most `max_ranks`. Whether
  /// this rank is in.
  Result<bool> open(const Sharers& sharers, int rank, int size);

  /// The same where nobody may wait for others: one rank invites, the rest join, and by `start` they find from when on
  /// they meet. Local. Whether this rank is in.
  bool invite(int rank, int size, SharedSegment::Invitation& invitation) noexcept;
  bool join(int rank, int size, const SharedSegment::Invitation& invitation) noexcept;
  /// The same for a later communicator of the same ranks: of memory in which all have joined the one before, and that
  /// this rank has left.
  void join_again() noexcept;
  /// Whether all ranks are in that way, of the latest of such communicators; once they are, for good.
  bool all_have_joined() const noexcept;
  /// How many communicators have come to meet here in that way; the same on all ranks that are in for the latest.
  std::uint64_t lives() const noexcept { return lives_; }
  StartVote::Shared& start() const noexcept;

  /// Behind a meeting that was closed, in each call that the ranks do not meet in, on all ranks in the same ones:
  /// whether they meet again from this one on, as all are known to have left that meeting behind. The same on all
  /// ranks. Waits for nobody. `votes`: whether this rank is for it, without which they do not.
  bool begins_anew(bool votes) noexcept;

  /// Collective. The latest a rank returns is a while after the last has come. If one is gone that has not come, all
  /// words are 0, on all ranks, now and in every later meeting. Who has to wait once the communicator is revoked gets
  /// words of 0 as well, from then on.
  Words meet(std::uint64_t word) noexcept {
    arrive(word, 0, nullptr);
    return hear();
  }

  /// The two halves of `meet`, for who has something to do in between.
  /// `detail` is a second word. `patience`: the meeting may be closed; on all ranks or on none. Not if the one before
  /// it was closed. All words of a closed meeting are 0.
  void arrive(std::uint64_t word, std::uint64_t detail, const Patience* patience) noexcept;
  /// At one that cannot be closed. Inline, as is `all_say`: what every short call needs.
  void arrive(std::uint64_t word, std::uint64_t detail = 0) noexcept { come(word, detail, endless()); }
  Words hear() noexcept;
  /// As `hear`, but only whether all have said `word`. Who wants to know more may `hear` afterwards.
  bool all_say(std::uint64_t word) noexcept;

  /// Where a rank's data of the meeting of number `meeting` are: written before it arrives, read after the others were
  /// heard, until the next meeting that is not closed. `max_data_bytes` bytes, aligned to 8.
  std::byte* data(int rank, std::uint64_t meeting) const noexcept { return cell(rank, meeting).data.data(); }

  /// This rank's own number, and how many ranks there are.
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

  /// What tells these meetings from those of others, and how many meetings, passes, calls behind closed meetings, and
  /// communicators there have been: the same on all ranks that have had the same calls. Of memory that is open.
  std::uint64_t digest() const noexcept;

  /// Whether the ranks can go on to meet here: no meeting has failed, and the latest was not closed.
  bool goes_on() const noexcept { return !failed_ && !closed_ && !is_revoked() && !given_up(); }

  /// The memory for it.
  const SharedSegment& memory() const noexcept { return segment_; }

  /// What it takes of the host's shared memory.
  std::size_t shared_bytes() const noexcept { return segment_.bytes(); }

  /// For how long this rank waited in the last meeting; 0 if it was less than some tenths of a microsecond, which cost
  /// no look at a clock.
  double waited_seconds() const noexcept { return waited_seconds_; }

  /// For how long of it natively it would perhaps not have waited: with a patience, which was not infinite.
  double held_up_seconds() const noexcept { return waited_seconds_ > 0 ? held_up_seconds_ : 0; }

  /// The second words of the last meeting, which took place.
  Words details() const noexcept;

  /// The greatest of them.
  std::uint64_t greatest_detail() const noexcept {
    std::uint64_t greatest = 0;
    for (int peer = 0; peer < size_; ++peer)
      greatest = std::max(greatest, cell(peer, meetings_).detail.load(std::memory_order_relaxed));
    return greatest;
  }

  /// How many meetings there have been; the same on all ranks between two of them.
  std::uint64_t meetings() const noexcept { return meetings_; }

  /// Whether the last meeting did not take place because a rank is gone, which is the same on all other ranks, or
  /// because the communicator was revoked.
  bool has_failed() const noexcept { return failed_; }

  /// Why, as an MPI error class; MPI_SUCCESS if it has not failed.
  int failure() const noexcept;

  /// Tells all ranks that the communicator is revoked: no meeting takes place on this rank any more, and nobody waits
  /// in one. For any thread.
  void revoke() noexcept;

  /// Whether some rank has. For any thread.
  bool is_revoked() const noexcept;

  /// Whether the process of a rank has ended without having left the communicator. Asks the operating system. For any
  /// thread.
  bool is_gone(int rank) const noexcept;

  /// Why what other ranks were to bring about will not be, as an MPI error class. For any thread.
  int failure_of_others() const noexcept;

  /// Whether the last meeting was closed. The same on all ranks. Those who were late may still be at the meeting before
  /// it: what they read there must stay as it is until the next one.
  bool was_closed() const noexcept { return closed_; }

  /// Says that this rank leaves to the MPI library what it knows no rank to meet before.
  void pass_by() noexcept {
    ++passed_;
    tell_gone();
  }

  /// Keeps the MPI library going. For who waits for something else meanwhile.
  void progress() noexcept { progress_.once(); }

  /// Waits outside of a meeting for what `rank` brings about in memory that the ranks share. False if it will not be:
  /// the process of that rank has ended, or the communicator is revoked, as after a meeting that has failed.
  template <class Condition>
  bool wait_until(int rank, const Condition& is_there) noexcept {
    double next_question = seconds_between_questions;
    return wait_unless(is_there, [&](double waited) { return is_known_gone(rank, waited, next_question); });
  }

  /// The same where others may have to do something before: the process of none of the ranks may have ended.
  template <class Condition>
  bool wait_for_all_until(const Condition& is_there) noexcept {
    return wait_unless(is_there, [&](double /*waited*/) { return any_gone(); });
  }

  /// Tells the others that this rank cannot do what was agreed, so that they do not wait for it; and whether one did.
  void give_up() noexcept;
  bool given_up() const noexcept;

  /// Tells the others that what was agreed in the last meeting cannot begin on this rank; and whether one has.
  void call_off() noexcept;
  bool called_off() const noexcept;

  /// Whether the process of some rank has ended. Asks the operating system every few milliseconds only.
  bool any_gone() noexcept;

 private:
  struct Head;

  /// What a rank says in a meeting: valid in meeting k once `arrived` is k, nothing once it is k with `closed_bit`.
  /// Every rank has some, which take turns: who writes for meeting k + 4 has met everybody in meeting k + 2 or k + 3,
  /// of which one was not closed, and they had read what was said in k before. Processors that fetch lines in pairs get
  /// all of it at once.
  struct alignas(128) Cell {
    std::atomic<std::uint64_t> arrived;
    std::atomic<std::uint64_t> word;
    std::atomic<std::uint64_t> detail;
    alignas(8) std::array<std::byte, max_data_bytes> data;
  };
  static constexpr std::size_t turns_of_cells = 4;

  /// The cells of one rank.
  struct alignas(128) RankCells {
    struct Turn {
      Cell cell;
      std::array<std::byte, 512 - sizeof(Cell)> apart;
    };
    std::array<Turn, turns_of_cells> turns;
    std::atomic<std::uint64_t> gone_by;  ///< the latest call that it has gone by, or has heard all words of
    std::array<std::byte, data_stride - turns_of_cells * sizeof(Turn) - sizeof(std::atomic<std::uint64_t>)> apart;
  };

  /// `is_missed(seconds)`: whether what is awaited for so long cannot come any more.
  template <class Condition, class IsMissed>
  bool wait_unless(const Condition& is_there, const IsMissed& is_missed) noexcept {
    Spin spin;
    while (!spin.has_paused()) {
      if (is_there()) return true;
      spin.once();
    }
    const Stopwatch watch;
    while (!is_there()) {
      if (!spin.once()) continue;
      progress_.once();
      if (!is_revoked() && !is_missed(watch.seconds())) continue;
      failed_ = !is_there();  // what was brought about before counts
      return !failed_;
    }
    return true;
  }

  static constexpr Patience endless() noexcept { return {.seconds = std::numeric_limits<double>::infinity()}; }

  static std::size_t bytes_for(int size) noexcept;
  bool enter(int rank, int size) noexcept;
  bool enter_alone(bool there, int rank, int size) noexcept;
  Cell& cell(int rank, std::uint64_t meeting) const noexcept {
    return cells_[rank].turns[meeting % turns_of_cells].cell;
  }
  /// A word as the ranks tell it each other. Above what words have for the codes of calls (decide/agreement.cpp).
  std::uint64_t told(std::uint64_t word) const noexcept { return word ^ passed_ << 40U; }
  void begin(std::uint64_t word, std::uint64_t detail, const Patience& patience) noexcept;
  void come(std::uint64_t word, std::uint64_t detail, const Patience& patience) noexcept {
    begin(word, detail, patience);
    cell(rank_, meetings_).arrived.store(meetings_, std::memory_order_release);
  }
  bool may_take_place() noexcept;
  bool misses(int rank) const noexcept;
  bool has_passed(int rank) const noexcept;
  /// Meetings and passes: the number of the call that this rank is at, as long as all ranks do the same.
  std::uint64_t calls() const noexcept { return meetings_ + passed_; }
  void tell_gone() noexcept { cells_[rank_].gone_by.store(calls(), std::memory_order_release); }
  bool wait_for(int rank, double patience_seconds) noexcept;
  void wait_long_for(int rank, double patience_seconds, Spin& spin) noexcept;
  template <class Look>
  bool look_at_all(const Look& look) noexcept;
  void close() noexcept;
  bool is_known_gone(int rank, double waited_seconds, double& next_question_seconds) const noexcept;

  /// How often the operating system is asked which ranks are gone: all ranks that wait ask, of one file.
  static constexpr double seconds_between_questions = 5e-3;

  // what every meeting needs, in one cache line
  RankCells* cells_ = nullptr;  ///< by rank
  int rank_ = 0;
  int size_ = 0;
  std::uint64_t meetings_ = 0;
  std::uint64_t passed_ = 0;
  double waited_seconds_ = 0;
  Patience patience_;
  bool failed_ = false;
  bool closed_ = false;
  std::atomic<bool> revoked_here_{false};

  Head* head_ = nullptr;
  SharedSegment segment_;
  MpiProgress progress_;
  double held_up_seconds_ = 0;      ///< of a meeting in which this rank has waited
  StartVote vote_;                  ///< from which call on they meet again
  std::uint64_t voted_behind_ = 0;  ///< the closed meeting behind which it is under way
  std::uint64_t vote_calls_ = 0;
  std::uint64_t lives_ = 0;
  int asked_about_ = 0;  ///< whose process was, whether it has ended, beside that of an awaited rank
  std::bitset<max_ranks> gone_;
  std::chrono::steady_clock::time_point asked_{};  ///< when the operating system was, which ranks are gone
};

inline void HostMeeting::begin(std::uint64_t word, std::uint64_t detail, const Patience& patience) noexcept {
  Cell& own = cell(rank_, ++meetings_);
  own.word.store(told(word), std::memory_order_relaxed);
  own.detail.store(detail, std::memory_order_relaxed);
  waited_seconds_ = 0;
  closed_ = false;
  patience_ = patience;
}

/// As far as can be said before all are asked.
inline bool HostMeeting::may_take_place() noexcept {
  if (revoked_here_.load(std::memory_order_relaxed)) [[unlikely]]
    failed_ = true;
  return !failed_ && !closed_ && (patience_.first < 0 || wait_for(patience_.first, endless().seconds));
}

/// Whether all have come; `look` is called for each of them, and ends it early if it returns false. Each begins behind
/// itself: not all of them ask for the same line at once.
template <class Look>
bool HostMeeting::look_at_all(const Look& look) noexcept {
  if (!may_take_place()) return false;
  const int size = size_;
  for (int step = 1, peer = rank_ + 1; step <= size; ++step, ++peer) {
    if (peer == size) peer = 0;
    const Cell& said = cell(peer, meetings_);
    const bool has_come =
        said.arrived.load(std::memory_order_acquire) == meetings_ || wait_for(peer, patience_.seconds);
    if (!has_come || !look(peer, said)) return false;
  }
  return true;
}

inline bool HostMeeting::all_say(std::uint64_t word) noexcept {
  const bool all = look_at_all([all_tell = told(word)](int /*peer*/, const Cell& said) {
    return said.word.load(std::memory_order_relaxed) == all_tell;
  });
  if (all) base::fetch_to_write(&cell(rank_, meetings_ + 1));
  return all;
}

}  // namespace airamp::pmpi
