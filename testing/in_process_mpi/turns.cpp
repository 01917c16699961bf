// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "testing/in_process_mpi/turns.hpp"

#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

namespace airamp::testing {
namespace {

// So many turns in which ranks only asked whether something is done.
constexpr std::uint64_t max_idle_turns = 1000000;

// A rank that computes for so long without a call of MPI is in an endless loop.
constexpr auto longest_turn = std::chrono::seconds(120);

/// While it lives, this thread and those that it starts stay on one processor. To wake a thread on another one takes
/// several times as long, and one at a time runs anyway.
class OneProcessor {
 public:
  OneProcessor() {
    if (sched_getaffinity(0, sizeof(before_), &before_) != 0) CPU_ZERO(&before_);
    cpu_set_t present;
    CPU_ZERO(&present);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &present);
    sched_setaffinity(0, sizeof(present), &present);
  }
  ~OneProcessor() {
    if (CPU_COUNT(&before_) > 0) sched_setaffinity(0, sizeof(before_), &before_);
  }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_;
};

}  // namespace

Turns::Turns(int ranks, std::uint64_t seed, Scheduler* scheduler, std::function<void(int)> arrive,
             std::function<void(int)> leave, bool shared_memory)
    : random_(seed),
      arrive_(std::move(arrive)),
      leave_(std::move(leave)),
      scheduler_(scheduler),
      shared_memory_(shared_memory) {
  for (int rank = 0; rank < ranks; ++rank) {
    places_.push_back(std::make_unique<Place>());
    places_.back()->touched = own_memory(rank);
  }
}

void Turns::run(const std::function<void(int)>& body) {
  const OneProcessor one_processor;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < static_cast<int>(places_.size()); ++rank) {
    threads.emplace_back([this, rank, &body] {
      await_turn(rank);
      body(rank);
      note_progress();
      place(rank).state = State::done;
      hand_over();
    });
  }
  choose(running_);
  call(place(running_));
  {
    std::unique_lock lock(over_mutex_);
    std::uint64_t seen = 0;
    while (!over_called_.wait_for(lock, longest_turn, [this] { return over_ == places_.size(); })) {
      const std::uint64_t turn = now_;
      if (turn == seen) {
        std::fprintf(stderr, "in-process MPI: rank %d has run for %lld s without a call of MPI\n", running_,
                     static_cast<long long>(longest_turn.count()));
        std::abort();
      }
      seen = turn;
    }
  }
  for (std::thread& thread : threads) thread.join();
}

void Turns::pass() {
  if (scheduler_ != nullptr) {
    place(running_).in_vain = true;
    return;
  }
  if (!stopped_ && now_ - last_progress_ > max_idle_turns) stop("no rank gets on: " + who_waits());
  hand_over();
}

bool Turns::wait_until(std::function<bool()> ready, std::string what) {
  if (stopped_) return false;
  const int rank = running_;
  Place& own = place(rank);
  own.ready = std::move(ready);
  own.what = std::move(what);
  own.state = State::waiting;
  hand_over();
  own.state = State::runnable;
  const bool done = own.ready();
  own.ready = nullptr;
  if (done) note_progress();
  return done;
}

void Turns::stop(const std::string& why) {
  if (stopped_) return;
  stopped_ = true;
  why_stopped_ = why;
}

bool Turns::may_run(Place& candidate) const {
  return candidate.state == State::runnable || (candidate.state == State::waiting && (stopped_ || candidate.ready()));
}

/// Who is next; false if all are done.
bool Turns::choose(int& next) {
  ++now_;
  if (scheduler_ != nullptr) return ask_scheduler(next);
  while (true) {
    if (stopped_) due_.clear();  // what would be moved may be gone
    while (!due_.empty() && due_.begin()->first <= now_) {
      const auto act = std::move(due_.begin()->second);
      due_.erase(due_.begin());
      act();
    }
    candidates_.clear();
    bool all_done = true;
    for (std::size_t rank = 0; rank < places_.size(); ++rank) {
      all_done = all_done && places_[rank]->state == State::done;
      if (may_run(*places_[rank])) candidates_.push_back(static_cast<int>(rank));
    }
    if (!candidates_.empty()) {
      next = candidates_[draw(candidates_.size())];
      return true;
    }
    if (all_done) return false;
    if (due_.empty()) {
      stop("all ranks wait: " + who_waits());
    } else {
      now_ = due_.begin()->first;
    }
  }
}

/// Lets the next one run, which may be the same, and returns when the caller is next again; at once if it is done.
void Turns::hand_over() {
  const int own = running_;
  int next = own;
  const bool goes_on = choose(next);
  if (goes_on && next == own) return;
  const bool done = place(own).state == State::done;
  leave_(own);
  running_ = next;
  if (goes_on) call(place(next));
  if (done) {
    const std::lock_guard lock(over_mutex_);
    if (++over_ == places_.size()) over_called_.notify_one();
    return;
  }
  await_turn(own);
}

void Turns::call(Place& called) {
  {
    const std::lock_guard lock(called.mutex);
    called.turn = true;
  }
  called.called.notify_one();  // who is woken finds the lock free
}

void Turns::await_turn(int rank) {
  Place& own = place(rank);
  {
    std::unique_lock lock(own.mutex);
    own.called.wait(lock, [&own] { return own.turn; });
    own.turn = false;
  }
  arrive_(rank);
}

std::string Turns::who_waits() const {
  constexpr std::size_t max_named = 8;
  std::string text;
  std::size_t named = 0;
  for (std::size_t rank = 0; rank < places_.size() && named < max_named; ++rank) {
    if (places_[rank]->state == State::done) continue;
    const bool waits = places_[rank]->state == State::waiting;
    text += (named++ > 0 ? ", rank " : "rank ") + std::to_string(rank) + " " +
            (waits ? "in " + places_[rank]->what : std::string("polls"));
  }
  return text;
}

}  // namespace airamp::testing
