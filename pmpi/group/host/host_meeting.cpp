// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/host_meeting.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/digest.hpp"
#include "pmpi/group/host/file_lock.hpp"
#include "pmpi/group/process_failure.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {
namespace {

/// Of `arrived`: the meeting was closed without this rank.
constexpr std::uint64_t closed_bit = std::uint64_t{1} << 63U;
constexpr std::uint64_t number_in(std::uint64_t arrived) { return arrived & ~closed_bit; }

}  // namespace

/// What the ranks share but for their cells.
struct alignas(128) HostMeeting::Head {
  std::atomic<bool> given_up;
  std::atomic<bool> revoked;
  std::atomic<std::uint64_t> called_off;  // what was agreed before the meeting of this number
  std::atomic<std::uint64_t> joined;      // those who were invited and the one who did, of each communicator anew
  StartVote::Shared start;
  StartVote::Shared anew;
  alignas(64) std::array<std::atomic<bool>, max_ranks> closed;  // by rank, before it lets go of its lock by itself
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

Result<bool> HostMeeting::open(const Sharers& sharers, int rank, int size) {
  const Result<bool> opened = segment_.open(sharers, bytes_for(size), [=, this] { return enter(rank, size); });
  if (opened.ok() && *opened) return opened;
  head_ = nullptr;  // closed
  close();
  return opened;
}

bool HostMeeting::invite(int rank, int size, SharedSegment::Invitation& invitation) noexcept {
  if (enter_alone(segment_.create(bytes_for(size), invitation), rank, size)) return true;
  invitation = {};
  return false;
}

bool HostMeeting::join(int rank, int size, const SharedSegment::Invitation& invitation) noexcept {
  return enter_alone(segment_.join(invitation, bytes_for(size)), rank, size);
}

/// Without a call that all ranks make together. `there`: whether there is memory.
bool HostMeeting::enter_alone(bool there, int rank, int size) noexcept {
  const bool entered = there && enter(rank, size);
  if (entered) {
    join_again();
  } else {
    close();
  }
  return entered;
}

std::size_t HostMeeting::bytes_for(int size) noexcept {
  static_assert(sizeof(RankCells) == data_stride && sizeof(Head) % alignof(RankCells) == 0);
  return sizeof(Head) + static_cast<std::size_t>(size) * sizeof(RankCells);
}

/// Takes its place in the memory, which is all zero: a valid state.
bool HostMeeting::enter(int rank, int size) noexcept {
  rank_ = rank;
  size_ = size;
  head_ = reinterpret_cast<Head*>(segment_.data());
  cells_ = reinterpret_cast<RankCells*>(segment_.data() + sizeof(Head));
  // held as long as the process lives
  return FileLock::take(segment_.descriptor(), rank_) && progress_.start() == MPI_SUCCESS;
}

void HostMeeting::join_again() noexcept {
  ++lives_;
  head_->joined.fetch_add(1, std::memory_order_acq_rel);
}

/// A rank may be in for the next communicator already.
bool HostMeeting::all_have_joined() const noexcept {
  return head_->joined.load(std::memory_order_acquire) >= lives_ * static_cast<std::uint64_t>(size_);
}

StartVote::Shared& HostMeeting::start() const noexcept { return head_->start; }

bool HostMeeting::begins_anew(bool votes) noexcept {
  if (std::exchange(voted_behind_, meetings_) != meetings_) {
    // who voted behind an earlier meeting may not have left this one yet
    vote_ = StartVote();
    vote_calls_ += StartVote::longest_distance;
  }
  if (!vote_.begins(head_->anew, static_cast<std::uint64_t>(size_), ++vote_calls_, votes)) return false;
  closed_ = false;
  return true;
}

void HostMeeting::arrive(std::uint64_t word, std::uint64_t detail, const Patience* patience) noexcept {
  if (patience == nullptr) return come(word, detail, endless());
  begin(word, detail, *patience);
  std::atomic<std::uint64_t>& arrived = cell(rank_, meetings_).arrived;
  std::uint64_t before = arrived.load(std::memory_order_acquire);
  closed_ =
      number_in(before) == meetings_ || !arrived.compare_exchange_strong(before, meetings_, std::memory_order_acq_rel);
}

/// Whether `rank` has come; not if it is gone, or if the meeting is closed.
bool HostMeeting::wait_for(int rank, double patience_seconds) noexcept {
  const std::atomic<std::uint64_t>& arrived = cell(rank, meetings_).arrived;
  const auto is_settled = [&] { return number_in(arrived.load(std::memory_order_acquire)) == meetings_; };
  Spin spin;
  while (!is_settled() && !spin.has_paused()) spin.once();
  if (!is_settled()) wait_long_for(rank, patience_seconds, spin);
  const std::uint64_t seen = arrived.load(std::memory_order_acquire);
  if (seen == meetings_) return true;
  (number_in(seen) == meetings_ ? closed_ : failed_) = true;
  return false;
}

/// Whether a rank that has not come has gone by this call.
bool HostMeeting::has_passed(int rank) const noexcept {
  return cells_[rank].gone_by.load(std::memory_order_acquire) >= calls();
}

/// Until `rank` has come, the meeting is closed, or it cannot take place.
void HostMeeting::wait_long_for(int rank, double patience_seconds, Spin& spin) noexcept {
  std::atomic<std::uint64_t>& arrived = cell(rank, meetings_).arrived;
  const Stopwatch watch;
  double next_question = seconds_between_questions;
  for (std::uint64_t seen = 0; number_in(seen = arrived.load(std::memory_order_acquire)) != meetings_;) {
    if (!spin.once()) continue;
    progress_.once();
    const double waited = watch.seconds();
    if (waited > patience_seconds) {
      arrived.compare_exchange_strong(seen, meetings_ | closed_bit, std::memory_order_acq_rel);
    } else if (is_revoked()) {
      break;
    } else if (waited > next_question) {
      next_question = waited + seconds_between_questions;
      if (has_passed(rank)) {
        arrived.compare_exchange_strong(seen, meetings_ | closed_bit, std::memory_order_acq_rel);
        continue;
      }
      asked_about_ = (asked_about_ + 1) % size_;
      if (misses(rank) || misses(asked_about_)) break;
    }
  }
  const double waited = watch.seconds();
  if (waited_seconds_ == 0) held_up_seconds_ = 0;
  if (std::isfinite(patience_seconds)) held_up_seconds_ += waited;
  waited_seconds_ += waited;
}

/// Whether the meeting cannot take place for want of `rank`. Who waits asks about the rank that it waits for, and about
/// the others in turn: one that lives may be waiting for what this rank does once it has heard of another's end.
bool HostMeeting::misses(int rank) const noexcept {
  if (rank == rank_ || !is_gone(rank)) return false;
  // who has come before it went has said its word to everybody
  return number_in(cell(rank, meetings_).arrived.load(std::memory_order_acquire)) != meetings_;
}

HostMeeting::Words HostMeeting::hear() noexcept {
  Words words;
  const bool heard = look_at_all([&](int peer, const Cell& said) {
    words[static_cast<std::size_t>(peer)] = told(said.word.load(std::memory_order_relaxed));
    return true;
  });
  tell_gone();  // who has not agreed with the others goes on, and is not to be waited for in a later meeting
  return heard ? words : Words{};
}

HostMeeting::Words HostMeeting::details() const noexcept {
  Words details;
  for (int peer = 0; peer < size_; ++peer)
    details[static_cast<std::size_t>(peer)] = cell(peer, meetings_).detail.load(std::memory_order_relaxed);
  return details;
}

std::uint64_t HostMeeting::digest() const noexcept {
  base::Digest digest;
  for (const std::uint64_t number : {segment_.token(), meetings_, passed_, vote_calls_, lives_}) digest.add(number);
  return digest.value();
}

int HostMeeting::failure() const noexcept { return failed_ ? failure_of_others() : MPI_SUCCESS; }

int HostMeeting::failure_of_others() const noexcept { return is_revoked() ? communicator_revoked : process_failed; }

void HostMeeting::revoke() noexcept {
  revoked_here_.store(true, std::memory_order_relaxed);
  head_->revoked.store(true, std::memory_order_release);
}

bool HostMeeting::is_revoked() const noexcept { return head_->revoked.load(std::memory_order_acquire); }

void HostMeeting::give_up() noexcept { head_->given_up.store(true, std::memory_order_release); }

bool HostMeeting::given_up() const noexcept { return head_->given_up.load(std::memory_order_acquire); }

void HostMeeting::call_off() noexcept { head_->called_off.store(meetings_ + 1, std::memory_order_release); }

bool HostMeeting::called_off() const noexcept {
  return head_->called_off.load(std::memory_order_acquire) == meetings_ + 1;
}

bool HostMeeting::any_gone() noexcept {
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - asked_).count() < seconds_between_questions) return gone_.any();
  asked_ = now;
  for (int peer = 0; peer < size_; ++peer) {
    if (peer != rank_ && is_gone(peer)) gone_.set(static_cast<std::size_t>(peer));
  }
  return gone_.any();
}

bool HostMeeting::is_gone(int rank) const noexcept {
  if (!FileLock::is_free(segment_.descriptor(), rank)) return false;
  // who has done with this may be ahead of us, in MPI_Comm_free
  return !head_->closed[static_cast<std::size_t>(rank)].load(std::memory_order_acquire);
}

/// The same, asked only every so often by who waits for it.
bool HostMeeting::is_known_gone(int rank, double waited_seconds, double& next_question_seconds) const noexcept {
  if (waited_seconds <= next_question_seconds) return false;
  next_question_seconds = waited_seconds + seconds_between_questions;
  return is_gone(rank);
}

void HostMeeting::close() noexcept {
  progress_.stop();
  if (head_ != nullptr) head_->closed[static_cast<std::size_t>(rank_)].store(true, std::memory_order_release);
  head_ = nullptr;
  cells_ = nullptr;
  segment_.close();
}

}  // namespace airamp::pmpi
