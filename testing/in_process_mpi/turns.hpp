// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace airamp::testing {

/// Threads that take turns: one runs at a time, and a seed decides which. Time is counted in turns.
class Turns {
 public:
  /// `arrive` and `leave` are called on the thread of a rank whenever its turn begins and ends.
  Turns(int ranks, std::uint64_t seed, std::function<void(int)> arrive, std::function<void(int)> leave);

  /// Runs `body` on every rank. Returns when all are done.
  void run(const std::function<void(int rank)>& body);

  // The rest is for the rank whose turn it is.

  /// Another rank may go on; this one whenever it comes to it.
  void pass();

  /// Returns when `ready` holds, which other ranks or `later` bring about; false if the run was stopped before. `what`:
  /// for people.
  bool wait_until(std::function<bool()> ready, std::string what);

  /// Does something in some turns from now.
  void later(std::uint64_t turns, std::function<void()> act) { due_.emplace(now_ + turns, std::move(act)); }
  std::uint64_t now() const { return now_; }

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
  };

  Place& place(int rank) { return *places_[static_cast<std::size_t>(rank)]; }
  bool may_run(Place& candidate) const;
  bool choose(int& next);
  void hand_over();
  void await_turn(int rank);
  std::string who_waits() const;

  std::vector<std::unique_ptr<Place>> places_;
  std::mt19937_64 random_;
  std::function<void(int)> arrive_;
  std::function<void(int)> leave_;
  std::multimap<std::uint64_t, std::function<void()>> due_;
  std::vector<int> candidates_;
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
