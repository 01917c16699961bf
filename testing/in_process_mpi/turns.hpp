// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "testing/in_process_mpi/scheduler.hpp"

namespace airamp::testing {

/// Threads that take turns: one runs at a time, and a seed decides which, or a scheduler. Time is counted in turns.
class Turns {
 public:
  /// Who sends to whom where: messages of one stream arrive in their order.
  using Stream = std::pair<const void*, std::pair<int, int>>;

  /// `arrive` and `leave` are called on the thread of a rank whenever its turn begins and ends. `scheduler`: nullptr,
  /// or who decides in place of the seed. `shared_memory`: every step of a rank touches the memory of all.
  Turns(int ranks, std::uint64_t seed, Scheduler* scheduler, std::function<void(int)> arrive,
        std::function<void(int)> leave, bool shared_memory = false);

  /// Runs `body` on every rank. Returns when all are done.
  void run(const std::function<void(int rank)>& body);

  // The rest is for the rank whose turn it is.

  /// Another rank may go on; this one whenever it comes to it. Under a scheduler this rank has looked for something in
  /// vain, and does not look again before something else has happened.
  void pass();

  /// Before a call of MPI, of those that a seed alone makes a turn's end.
  void before_call() {
    if (scheduler_ == nullptr && draw(2) == 0) pass();
  }
  /// Before what other ranks or the network can notice, of those that a scheduler makes a turn's end. `touched`: whose
  /// memory, beside that of the rank itself.
  void before_step(Touched touched = 0);
  /// The same before a look at whether something is done.
  void before_look(Touched touched);

  /// Returns when `ready` holds, which other ranks or `later` bring about; false if the run was stopped before. `what`:
  /// for people.
  bool wait_until(std::function<bool()> ready, std::string what);

  /// Does something in some turns from now.
  void later(std::uint64_t turns, std::function<void()> act) { due_.emplace(now_ + turns, std::move(act)); }
  std::uint64_t now() const { return now_; }

  /// A message that arrives when the scheduler says so, behind those of its stream.
  void send(const Stream& stream, Touched touched, std::function<void()> arrive);
  bool has_scheduler() const { return scheduler_ != nullptr; }
  /// Whether a message takes its bytes with it at once.
  bool takes_bytes() { return scheduler_ != nullptr ? scheduler_->takes_bytes() : draw(2) == 0; }
  std::size_t messages_under_way() const;

  /// The time of the rank whose turn it is. Under a scheduler it is that of the rank's own steps: no order of
  /// steps changes it.
  std::uint64_t time() { return scheduler_ != nullptr ? place(running_).clock : now(); }

  /// Something has come closer to its end: ranks that poll do not do so in vain.
  void note_progress() { last_progress_ = now_; }

  /// All waiting ends. `why`: for people.
  void stop(const std::string& why);
  bool stopped() const { return stopped_; }
  const std::string& why_stopped() const { return why_stopped_; }

  /// Up to `bound`, excluded.
  std::uint64_t draw(std::uint64_t bound) { return random_() % bound; }

 private:
  enum class State { runnable, waiting, done };
  struct Place {
    State state = State::runnable;
    std::function<bool()> ready;
    std::string what;
    std::mutex mutex;
    std::condition_variable called;
    bool turn = false;
    Touched touched = 0;      ///< by what it does next
    bool in_vain = false;     ///< it looked, and nothing has happened since
    std::uint64_t clock = 0;  ///< what its steps took, as a scheduler says
  };
  struct UnderWay {
    Stream stream;
    std::deque<std::pair<Touched, std::function<void()>>> messages;
  };

  Place& place(int rank) { return *places_[static_cast<std::size_t>(rank)]; }
  Touched own_memory(int rank) const { return shared_memory_ ? all_memory : memory_of(rank); }
  bool may_run(Place& candidate) const;
  bool choose(int& next);
  bool ask_scheduler(int& next);
  void list_steps();
  void take_step(int actor);
  void hand_over();
  static void call(Place& called);
  void await_turn(int rank);
  std::string who_waits() const;

  std::vector<std::unique_ptr<Place>> places_;
  std::mt19937_64 random_;
  std::function<void(int)> arrive_;
  std::function<void(int)> leave_;
  std::multimap<std::uint64_t, std::function<void()>> due_;
  std::vector<int> candidates_;
  Scheduler* scheduler_;
  bool shared_memory_;
  std::vector<Scheduler::Step> steps_;
  std::vector<UnderWay> under_way_;  ///< by stream, from its first message on
  int running_ = 0;
  std::atomic<std::uint64_t> now_{0};
  std::uint64_t last_progress_ = 0;
  bool stopped_ = false;
  std::string why_stopped_;
  std::mutex over_mutex_;
  std::condition_variable over_called_;
  std::size_t over_ = 0;
};

}  // namespace airamp::testing
