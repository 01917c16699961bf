// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "testing/in_process_mpi/scheduler.hpp"

namespace airamp::testing {

/// What was chosen at each point of a run where there was something to choose from, by actor.
using Schedule = std::vector<int>;

/// "0.1.1.2", and back; what is no number ends it.
std::string text_of(const Schedule& schedule);
Schedule schedule_of(const std::string& text);

/// How messages are sent in a run.
enum class Sends {
  with_bytes,     ///< a send is complete at once
  without_bytes,  ///< a send is complete when its message was received
  either          ///< by chance
};

/// Chance decides.
class RandomScheduler : public Scheduler {
 public:
  /// Steps take up to `longest` microseconds.
  explicit RandomScheduler(std::uint64_t seed, Sends sends = Sends::either, std::uint64_t longest = 1000)
      : random_(seed), sends_(sends), longest_(longest) {}
  std::size_t choose(const std::vector<Step>& steps) override;
  bool takes_bytes() override;
  std::uint64_t duration() override;

 private:
  std::mt19937_64 random_;
  Sends sends_;
  std::uint64_t longest_;
};

/// One run after the other, each by another schedule: depth first over what can be chosen, again from the start each
/// time. Of schedules that differ only in the order of neighbouring steps without memory in common it finishes one
/// (sleep sets: P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996). Every state in
/// which no rank gets on is reached, for that reduction leaves out no state without a way on. What it takes for
/// granted: steps do what they do whatever time it is and however often a rank has looked for something in vain. A
/// program that does other things in another run, without reason, is given up, and not as redundant.
class Exploration : public Scheduler {
 public:
  /// `sends`: not `either`. Every step takes `duration` microseconds.
  explicit Exploration(Sends sends, std::uint64_t duration = 1) : sends_(sends), duration_(duration) {}

  /// Whether there is another schedule, after a run.
  bool advance();

  /// Whether the last run was given up, for all that could follow has been seen in other runs.
  bool redundant() const { return redundant_; }
  Schedule schedule() const;

  std::size_t choose(const std::vector<Step>& steps) override;
  bool takes_bytes() override { return sends_ == Sends::with_bytes; }
  std::uint64_t duration() override { return duration_; }

 private:
  struct Point {
    std::vector<Step> steps;
    std::vector<Step> asleep;  ///< what was tried here or before, and is no different now
    std::size_t chosen;
  };

  std::vector<Point> points_;
  std::size_t depth_ = 0;
  bool redundant_ = false;
  Sends sends_;
  std::uint64_t duration_;
};

/// A schedule again. Behind its end, and where it does not fit, the first step that is possible is taken.
class Replay : public Scheduler {
 public:
  Replay(Schedule schedule, Sends sends, std::uint64_t duration = 1)
      : schedule_(std::move(schedule)), sends_(sends), duration_(duration) {}
  std::size_t choose(const std::vector<Step>& steps) override;
  bool takes_bytes() override { return sends_ == Sends::with_bytes; }
  std::uint64_t duration() override { return duration_; }

 private:
  Schedule schedule_;
  std::size_t depth_ = 0;
  Sends sends_;
  std::uint64_t duration_;
};

}  // namespace airamp::testing
