// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Turns that a scheduler gives.
#include <algorithm>

#include "testing/in_process_mpi/turns.hpp"

namespace airamp::testing {
namespace {

// So many steps in which nothing came closer to its end. Of what comes about in memory alone nobody hears here.
constexpr std::uint64_t max_idle_steps = 2000;
constexpr std::uint64_t max_idle_steps_with_shared_memory = 100000;

}  // namespace

void Turns::before_step(Touched touched) {
  place(running_).in_vain = false;
  before_look(touched);
}

void Turns::before_look(Touched touched) {
  if (scheduler_ == nullptr || stopped_) return;
  Place& own = place(running_);
  own.touched = own_memory(running_) | touched;
  hand_over();
  own.touched = own_memory(running_);
}

void Turns::send(const Stream& stream, Touched touched, std::function<void()> arrive) {
  auto found = std::ranges::find(under_way_, stream, &UnderWay::stream);
  if (found == under_way_.end()) found = under_way_.insert(found, UnderWay{.stream = stream, .messages = {}});
  found->messages.emplace_back(touched, std::move(arrive));
}

std::size_t Turns::messages_under_way() const {
  std::size_t messages = due_.size();
  for (const UnderWay& stream : under_way_) messages += stream.messages.size();
  return messages;
}

/// What can happen next. Ranks that looked in vain look again only if nothing else can.
void Turns::list_steps() {
  steps_.clear();
  const int ranks = static_cast<int>(places_.size());
  for (const bool in_vain : {false, true}) {
    if (in_vain && !steps_.empty()) return;
    for (int rank = 0; rank < ranks; ++rank) {
      Place& candidate = place(rank);
      if (candidate.in_vain == in_vain && may_run(candidate)) steps_.push_back({rank, candidate.touched});
    }
    for (int stream = 0; !stopped_ && !in_vain && stream < static_cast<int>(under_way_.size()); ++stream) {
      const auto& messages = under_way_[static_cast<std::size_t>(stream)].messages;
      if (!messages.empty()) steps_.push_back({ranks + stream, messages.front().first});
    }
  }
}

void Turns::take_step(int actor) {
  for (int rank = 0; rank < static_cast<int>(places_.size()); ++rank) {
    if (rank != actor) place(rank).in_vain = false;
  }
  if (actor < static_cast<int>(places_.size())) {
    place(actor).clock += scheduler_->duration();
    return;
  }
  auto& messages = under_way_[static_cast<std::size_t>(actor) - places_.size()].messages;
  const std::function<void()> arrive = std::move(messages.front().second);
  messages.pop_front();
  arrive();
  note_progress();
}

/// Who is next; false if all are done.
bool Turns::ask_scheduler(int& next) {
  for (;; ++now_) {
    if (std::ranges::all_of(places_, [](const auto& one) { return one->state == State::done; })) return false;
    const std::uint64_t most = shared_memory_ ? max_idle_steps_with_shared_memory : max_idle_steps;
    if (!stopped_ && now_ - last_progress_ > most) stop("no rank gets on: " + who_waits());
    list_steps();
    if (steps_.empty()) {
      stop("all ranks wait: " + who_waits());
      continue;
    }
    const std::size_t chosen = stopped_ ? 0 : scheduler_->choose(steps_);
    if (chosen >= steps_.size()) {
      stop("given up");
      continue;
    }
    const int actor = steps_[chosen].actor;
    take_step(actor);
    if (actor >= static_cast<int>(places_.size())) continue;
    next = actor;
    return true;
  }
}

}  // namespace airamp::testing
