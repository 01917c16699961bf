// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/unhurried_meeting.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/mpi/spin.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {
namespace {

/// Communicators of fewer calls than this would not earn what it costs.
constexpr std::uint64_t calls_before_invitation = 16;

}  // namespace

/// An invitation on its way. MPI writes into it until the broadcast has ended, whatever becomes of the communicator.
struct UnhurriedMeeting::Letter {
  Letter() noexcept { under_way.fetch_add(1, std::memory_order_relaxed); }
  ~Letter() { under_way.fetch_sub(1, std::memory_order_relaxed); }
  Letter(const Letter&) = delete;
  Letter& operator=(const Letter&) = delete;

  SharedSegment::Invitation invitation{};
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

Result<bool> UnhurriedMeeting::begins(MPI_Comm comm, int rank, int size) {
  ++calls_;
  int error = MPI_SUCCESS;
  if (stage_ == Stage::counting && calls_ >= calls_before_invitation) {
    error = invite(comm, rank, size);
  } else if (stage_ == Stage::invited) {
    error = look_for_invitation(rank, size);
  }
  if (error != MPI_SUCCESS) return MpiError{error};
  if (stage_ != Stage::joined || !meeting_->all_have_joined()) return false;
  const bool begins = vote_.begins(meeting_->start(), static_cast<std::uint64_t>(size), calls_);
  begun_ = begun_ || begins;
  return begins;
}

int UnhurriedMeeting::invite(MPI_Comm comm, int rank, int size) {
  meeting_ = std::make_unique<HostMeeting>();
  letter_ = std::make_unique<Letter>();
  if (rank == 0) meeting_->invite(rank, size, letter_->invitation);
  const int error =
      native().MPI_Ibcast(&letter_->invitation, sizeof letter_->invitation, MPI_BYTE, 0, comm, &letter_->request);
  stage_ = error == MPI_SUCCESS ? Stage::invited : Stage::absent;
  return error;
}

int UnhurriedMeeting::look_for_invitation(int rank, int size) {
  int error = MPI_SUCCESS;
  if (!letter_->has_ended(&error)) return MPI_SUCCESS;
  const SharedSegment::Invitation invitation = letter_->invitation;
  const bool invited = error == MPI_SUCCESS && invitation.token != 0;
  stage_ = invited && (rank == 0 || meeting_->join(rank, size, invitation)) ? Stage::joined : Stage::absent;
  letter_.reset();
  return error;
}

bool UnhurriedMeeting::is_settled(double patience_seconds) noexcept {
  const Stopwatch watch;
  for (Spin spin; letter_ != nullptr && !letter_->has_ended(); spin.once()) {
    if (watch.seconds() > patience_seconds) return false;
  }
  if (letter_ != nullptr) stage_ = Stage::absent;
  letter_.reset();
  return true;
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

void UnhurriedMeeting::leave() noexcept {
  stage_ = Stage::absent;
  begun_ = false;
  meeting_.reset();
  if (letter_ == nullptr) return;
  auto& [mutex, first] = *Letter::unread;
  const std::lock_guard lock(mutex);
  letter_->next = std::move(first);
  first = std::move(letter_);
}

void UnhurriedMeeting::end_broadcasts() noexcept {
  auto& [mutex, first] = *Letter::unread;
  const std::lock_guard lock(mutex);
  for (; first != nullptr; first = std::move(first->next)) native().MPI_Wait(&first->request, MPI_STATUS_IGNORE);
}

}  // namespace airamp::pmpi
