// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/unhurried_meeting.hpp"

#include <atomic>
#include <mutex>
#include <new>
#include <utility>

#include "pmpi/group/host/kept_by_members.hpp"
#include "pmpi/job/communicator_key.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/mpi/spin.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {
namespace {

/// Communicators of fewer calls than this would not earn what it costs.
constexpr std::uint64_t calls_before_invitation = 16;

/// By how much more the calls of each communicator are numbered where ranks vote: votes of the one before are still
/// there. Memory in which there have been too many calls or communicators is not kept.
constexpr std::uint64_t calls_of_life = std::uint64_t{1} << 30U;
constexpr std::uint64_t most_lives = std::uint64_t{1} << 20U;

constinit ProcessWide<KeptByMembers<HostMeeting>> kept;

}  // namespace

/// An invitation on its way. MPI writes into it until the broadcast has ended, whatever becomes of the communicator.
struct UnhurriedMeeting::Letter {
  Letter() noexcept { under_way.fetch_add(1, std::memory_order_relaxed); }
  ~Letter() { under_way.fetch_sub(1, std::memory_order_relaxed); }
  Letter(const Letter&) = delete;
  Letter& operator=(const Letter&) = delete;

  /// `kept`: the digest of memory that those who are invited have kept; 0: they are to map it.
  struct Text {
    SharedSegment::Invitation invitation;
    std::uint64_t kept;
  };
  Text text{};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm to_free = MPI_COMM_NULL;  ///< once it has ended
  std::unique_ptr<Letter> next;      ///< of those that nobody waits for any more

  /// It may have failed: an MPI error code.
  bool has_ended(int* error = nullptr) noexcept {
    int ended = 0;
    const int result = native().MPI_Test(&request, &ended, MPI_STATUS_IGNORE);
    if (error != nullptr) *error = result;
    return result != MPI_SUCCESS || ended != 0;
  }

  struct Unread {
    std::mutex mutex;
    std::unique_ptr<Letter> first;
  };
  static constinit ProcessWide<Unread> unread;
  static std::atomic<int> under_way;
};

constinit ProcessWide<UnhurriedMeeting::Letter::Unread> UnhurriedMeeting::Letter::unread;
constinit std::atomic<int> UnhurriedMeeting::Letter::under_way{0};

bool UnhurriedMeeting::any_under_way() noexcept { return Letter::under_way.load(std::memory_order_relaxed) > 0; }

UnhurriedMeeting::UnhurriedMeeting() noexcept = default;

UnhurriedMeeting::~UnhurriedMeeting() { leave(); }

Result<bool> UnhurriedMeeting::begins(MPI_Comm comm, int rank, int size, bool votes) {
  ++calls_;
  int error = MPI_SUCCESS;
  if (stage_ == Stage::counting && calls_ >= calls_before_invitation) {
    error = invite(comm, rank, size);
  } else if (stage_ == Stage::invited) {
    error = look_for_invitation(rank, size);
  }
  if (error != MPI_SUCCESS) return MpiError{error};
  if (stage_ != Stage::joined || !meeting_->all_have_joined()) return false;
  const std::uint64_t number = meeting_->lives() * calls_of_life + calls_;
  const bool begins = vote_.begins(meeting_->start(), static_cast<std::uint64_t>(size), number, votes);
  begun_ = begun_ || begins;
  return begins;
}

int UnhurriedMeeting::invite(MPI_Comm comm, int rank, int size) {
  members_ = members_of(comm, false);
  letter_ = std::make_unique<Letter>();
  Letter::Text& text = letter_->text;
  if (rank == 0) {
    meeting_ = kept->take(members_, rank);
    if (meeting_ != nullptr && meeting_->all_have_joined()) {
      text.kept = meeting_->digest();
    } else {
      meeting_ = std::make_unique<HostMeeting>();
      meeting_->invite(rank, size, text.invitation);
    }
  }
  const int error = native().MPI_Ibcast(&text, sizeof text, MPI_BYTE, 0, comm, &letter_->request);
  stage_ = error == MPI_SUCCESS ? Stage::invited : Stage::absent;
  return error;
}

int UnhurriedMeeting::look_for_invitation(int rank, int size) {
  int error = MPI_SUCCESS;
  if (!letter_->has_ended(&error)) return MPI_SUCCESS;
  stage_ = error == MPI_SUCCESS && accept(rank, size) ? Stage::joined : Stage::absent;
  letter_.reset();
  return error;
}

/// Whether this rank is in.
bool UnhurriedMeeting::accept(int rank, int size) {
  const Letter::Text& text = letter_->text;
  if (text.kept == 0) {
    if (rank == 0) return text.invitation.token != 0;
    meeting_ = std::make_unique<HostMeeting>();
    return meeting_->join(rank, size, text.invitation);
  }
  if (rank != 0) meeting_ = kept->take(members_, rank, text.kept);
  if (meeting_ == nullptr) return false;
  meeting_->join_again();
  return true;
}

bool UnhurriedMeeting::settle(int rank, int size, double patience_seconds) noexcept {
  const Stopwatch watch;
  for (Spin spin; letter_ != nullptr; spin.once()) {
    try {
      look_for_invitation(rank, size);
    } catch (const std::bad_alloc&) {  // without memory it does not join
      stage_ = Stage::absent;
      letter_.reset();
    }
    if (watch.seconds() > patience_seconds) break;
  }
  return letter_ == nullptr;
}

void UnhurriedMeeting::free_later(MPI_Comm comm) noexcept { letter_->to_free = comm; }

MPI_Comm UnhurriedMeeting::next_to_free() noexcept {
  auto& [mutex, first] = *Letter::unread;
  const std::lock_guard lock(mutex);
  for (std::unique_ptr<Letter>* place = &first; *place != nullptr; place = &(*place)->next) {
    if (!(*place)->has_ended()) continue;
    const std::unique_ptr<Letter> ended = std::exchange(*place, std::move((*place)->next));
    return ended->to_free;
  }
  return MPI_COMM_NULL;
}

/// Whether a later communicator of the same ranks may go on where this one ends.
bool UnhurriedMeeting::can_be_kept() const noexcept {
  return stage_ == Stage::joined && members_ != 0 && meeting_->goes_on() && calls_ < calls_of_life / 2 &&
         meeting_->lives() < most_lives;
}

void UnhurriedMeeting::leave() noexcept {
  if (job().on && can_be_kept()) kept->keep(members_, std::move(meeting_));
  stage_ = Stage::absent;
  begun_ = false;
  meeting_.reset();
  if (letter_ == nullptr) return;
  auto& [mutex, first] = *Letter::unread;
  const std::lock_guard lock(mutex);
  letter_->next = std::move(first);
  first = std::move(letter_);
}

void UnhurriedMeeting::release_kept() noexcept { kept->clear(); }

void UnhurriedMeeting::end_broadcasts() noexcept {
  auto& [mutex, first] = *Letter::unread;
  const std::lock_guard lock(mutex);
  for (; first != nullptr; first = std::move(first->next)) native().MPI_Wait(&first->request, MPI_STATUS_IGNORE);
}

}  // namespace airamp::pmpi
