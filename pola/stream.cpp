// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pola/stream.hpp"

#include <algorithm>
#include <new>

#include "pola/learner.hpp"

namespace airamp::pola {

Stream::Stream(const Rules& rules) : lock_events_(std::clamp<std::size_t>(rules.lock_events, 20, 50)) {}
Stream::Stream(Stream&& other) noexcept = default;
Stream& Stream::operator=(Stream&& other) noexcept = default;
Stream::~Stream() = default;

bool Stream::observe(Signature signature) noexcept {
  if (failed_) return false;
  if (learner_ == nullptr) learner_.reset(new (std::nothrow) Learner());
  if (learner_ == nullptr || !learner_->reserve()) {
    failed_ = true;
    return false;
  }
  ++counters_.events;
  judge(learner_->learn(signature));
  return true;
}

void Stream::judge(bool hit) {
  const std::size_t hits = learner_->hits_of_latest(lock_events_);
  if (state_ == State::locked) {
    ++(hit ? counters_.hits : counters_.misses);
    // Broken: a quarter of the latest predictions wrong, or none right for a while.
    if (4 * hits < 3 * lock_events_ || learner_->hits_of_latest(6) == 0) {
      state_ = State::broken;
      ++counters_.breaks;
      learner_->evidence.reset();
    }
    return;
  }
  if (!hit || counters_.events < lock_events_ || 8 * hits < 7 * lock_events_) return;
  if (learner_->evidence.beyond_chance() || learner_->evidence.constant(lock_events_)) {
    state_ = State::locked;
    ++counters_.locks;
  }
}

std::size_t Stream::period() const {
  if (learner_ == nullptr || learner_->periods.periodic_events() < lock_events_) return 0;
  return learner_->periods.period();
}

std::optional<Signature> Stream::expected() const {
  if (learner_ == nullptr || learner_->expected == 0) return std::nullopt;
  return learner_->symbols.signature(learner_->expected);
}

bool Stream::recurs(Signature signature) const {
  if (state_ != State::locked) return false;
  const Symbol symbol = learner_->symbols.find(signature);
  if (symbol == 0) return false;
  if (learner_->evidence.count(symbol) >= 2) return true;
  const std::size_t period = learner_->periods.period();
  for (std::size_t i = 1; i <= period; ++i) {
    if (learner_->history.back(i) == symbol) return true;
  }
  return false;
}

double Stream::confidence() const { return counters_.events == 0 ? 0.0 : learner_->confidence.value() / 65535.0; }

std::uint64_t Stream::place() const { return learner_ == nullptr ? 0 : learner_->contexts.place(); }

const char* name_of(Stream::State state) {
  switch (state) {
    case Stream::State::learning:
      return "learning";
    case Stream::State::locked:
      return "locked";
    default:
      return "broken";
  }
}

}  // namespace airamp::pola
