// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/running_starts.hpp"

#include "pmpi/job/job.hpp"
#include "pmpi/mpi/spin.hpp"

namespace airamp::pmpi {
namespace {

/// A rank that starts without ever looking at what it has started takes what has come in between.
constexpr std::uint64_t many = 4;

/// The operating system is asked which ranks are gone at one in so many looks in vain.
constexpr unsigned looks_between_questions = 256;

}  // namespace

RunningStarts::RunningStarts(std::byte* memory, HostMeeting& meeting, int rank, int size,
                             const StartRing::Division& division)
    : meeting_(meeting), ring_(memory, rank, size, division), size_(size) {}

std::unique_lock<std::mutex> RunningStarts::lock() noexcept {
  std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
  if (job().several_threads.load(std::memory_order_relaxed)) lock.lock();
  return lock;
}

bool RunningStarts::start(bool wanted, Start& start) noexcept {
  {
    const std::unique_lock<std::mutex> locked = lock();
    if (ring_.number() + 1 - oldest_ >= many) advance();
    if (!ring_.next(wanted && !failed_ && !meeting_.is_revoked())) return false;
    start.number = ring_.number();
    start.error = MPI_SUCCESS;
    start.is_lost = false;
    start.runs.store(true, std::memory_order_relaxed);
    running_[start.number % running_.size()] = &start;
  }
  // without the lock: it may have to wait for the application's default stream
  if (start.carrier != nullptr) start.is_lost = !start.carrier->give(start.buffers, start.number, ring_.own());
  ring_.leave();
  return true;
}

bool RunningStarts::skip() noexcept {
  const std::unique_lock<std::mutex> locked = lock();
  return ring_.skips() && !ring_.next(false);
}

/// Ends what all ranks have started: in the order of the starts, so that a later one is never complete before.
void RunningStarts::advance() noexcept {
  while (oldest_ <= ring_.number() && ring_.first_missing(oldest_) == size_) end(MPI_SUCCESS);
}

void RunningStarts::end(int error) noexcept {
  Start& start = *running_[oldest_ % running_.size()];
  start.error = error == MPI_SUCCESS ? deliver(start) : error;
  ring_.done(oldest_++);
  start.runs.store(false, std::memory_order_release);  // from here on it may be gone
}

/// Gives this rank the result of the oldest one.
int RunningStarts::deliver(Start& start) noexcept {
  if (start.is_lost) return MPI_ERR_BUFFER;
  if (start.carrier == nullptr) return MPI_SUCCESS;
  return start.carrier->deliver(start.buffers, oldest_, ring_.vectors(oldest_));
}

bool RunningStarts::is_complete(const Start& start) noexcept {
  if (!start.runs.load(std::memory_order_acquire)) return true;
  const std::unique_lock<std::mutex> locked = lock();
  advance();
  return !start.runs.load(std::memory_order_relaxed);
}

bool RunningStarts::test(const Start& start) noexcept {
  if (is_complete(start)) return true;
  progress();
  if (tests_.fetch_add(1, std::memory_order_relaxed) % looks_between_questions == 0) look_for_failures();
  return is_complete(start);
}

int RunningStarts::wait(const Start& start) noexcept {
  Spin spin;
  while (!is_complete(start)) {
    if (spin.once()) test(start);
  }
  return start.error;
}

void RunningStarts::progress() noexcept {
  if (progresses_.test_and_set(std::memory_order_acquire)) return;  // another thread does
  progress_.once();
  progresses_.clear(std::memory_order_release);
}

/// What some rank will never start ends here with an error. Who waits asks about the rank that is missing, and about
/// the others in turn: one that lives may be waiting for what this rank does once it has heard of another's end.
void RunningStarts::look_for_failures() noexcept {
  const std::unique_lock<std::mutex> locked = lock();
  advance();
  if (oldest_ > ring_.number()) return;
  asked_about_ = (asked_about_ + 1) % size_;
  const auto will_not_come = [&](int rank) { return meeting_.is_gone(rank) && !ring_.has_left(rank, oldest_); };
  const bool revoked = meeting_.is_revoked();
  if (!revoked && !will_not_come(ring_.first_missing(oldest_)) && !will_not_come(asked_about_)) return;
  if (!revoked && ring_.first_missing(oldest_) == size_) return;  // what it has left before it went counts
  failed_ = true;
  while (oldest_ <= ring_.number()) end(meeting_.failure_of_others());
}

}  // namespace airamp::pmpi
