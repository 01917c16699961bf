// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "testing/in_process_mpi/exploration.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace airamp::testing {
namespace {

using Step = Scheduler::Step;

bool contains(const std::vector<Step>& steps, int actor) {
  return std::ranges::find(steps, actor, &Step::actor) != steps.end();
}

/// The first step from `begin` on that is not asleep; their number if there is none.
std::size_t first_awake(const std::vector<Step>& steps, const std::vector<Step>& asleep, std::size_t begin) {
  while (begin < steps.size() && contains(asleep, steps[begin].actor)) ++begin;
  return begin;
}

}  // namespace

std::string text_of(const Schedule& schedule) {
  std::ostringstream text;
  for (std::size_t at = 0; at < schedule.size(); ++at) text << (at > 0 ? "." : "") << schedule[at];
  return text.str();
}

Schedule schedule_of(const std::string& text) {
  Schedule schedule;
  std::istringstream stream(text);
  int actor = 0;
  while (stream >> actor) {
    schedule.push_back(actor);
    stream.ignore(1, '.');
  }
  return schedule;
}

std::size_t RandomScheduler::choose(const std::vector<Step>& steps) { return random_() % steps.size(); }

std::uint64_t RandomScheduler::duration() { return 1 + random_() % longest_; }

bool RandomScheduler::takes_bytes() {
  return sends_ == Sends::either ? random_() % 2 == 0 : sends_ == Sends::with_bytes;
}

std::size_t Exploration::choose(const std::vector<Step>& steps) {
  if (depth_ < points_.size()) {
    const Point& point = points_[depth_++];
    const bool again = point.chosen < steps.size() && steps[point.chosen].actor == point.steps[point.chosen].actor;
    return again ? point.chosen : steps.size();
  }
  std::vector<Step> asleep;
  if (!points_.empty()) {
    const Point& before = points_.back();
    const Touched touched = before.steps[before.chosen].touched;
    std::ranges::copy_if(before.asleep, std::back_inserter(asleep),
                         [&](const Step& step) { return (step.touched & touched) == 0; });
  }
  const std::size_t chosen = first_awake(steps, asleep, 0);
  redundant_ = chosen == steps.size();
  if (redundant_) return chosen;
  points_.push_back({.steps = steps, .asleep = std::move(asleep), .chosen = chosen});
  ++depth_;
  return chosen;
}

bool Exploration::advance() {
  depth_ = 0;
  redundant_ = false;
  while (!points_.empty()) {
    Point& last = points_.back();
    last.asleep.push_back(last.steps[last.chosen]);
    last.chosen = first_awake(last.steps, last.asleep, 0);
    if (last.chosen < last.steps.size()) return true;
    points_.pop_back();
  }
  return false;
}

Schedule Exploration::schedule() const {
  Schedule schedule;
  for (const Point& point : points_) schedule.push_back(point.steps[point.chosen].actor);
  return schedule;
}

std::size_t Replay::choose(const std::vector<Step>& steps) {
  if (depth_ == schedule_.size()) return 0;
  const auto step = std::ranges::find(steps, schedule_[depth_++], &Step::actor);
  return step != steps.end() ? static_cast<std::size_t>(step - steps.begin()) : 0;
}

}  // namespace airamp::testing
