// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/device/emulated_wave.hpp"

#include <algorithm>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <utility>

namespace airamp::gpu::device {
namespace {

using boost::context::fiber;

/// What a warp can only go on from together with the rest of its wave or block.
bool is_waiting(EmulatedLane::Question question) {
  using Question = EmulatedLane::Question;
  return question == Question::in_step || question == Question::meet_in_block || question == Question::nothing_more;
}

}  // namespace

EmulatedLane::EmulatedLane(EmulatedWave& wave, std::uint32_t thread, std::uint32_t number)
    : wave_(wave), thread_(thread), number_(number), fiber_(wave.fiber_of(*this)) {}

std::uint32_t EmulatedLane::ask(Question question, const void* place, std::uint32_t value, std::uint32_t of) {
  asks_ = question;
  place_ = static_cast<const std::byte*>(place);
  value_ = value;
  of_ = of;
  wave_.leave(fiber_);
  return answer_;
}

EmulatedWave::EmulatedWave(EmulatedWaveOwner& owner, std::uint32_t first_thread, std::uint32_t threads,
                           std::uint32_t first_number)
    : owner_(owner) {
  for (std::uint32_t i = 0; i < threads; ++i)
    lanes_.push_back(std::make_unique<EmulatedLane>(*this, first_thread + i, first_number + i));
}

fiber EmulatedWave::fiber_of(EmulatedLane& lane) {
  constexpr std::size_t stack_bytes = 262144;
  static boost::context::pooled_fixedsize_stack stacks(stack_bytes);
  return fiber(std::allocator_arg, stacks, [this, &lane](fiber&& before) {
    *left_ = std::move(before);
    owner_.run(lane);
    lane.asks_ = Question::nothing_more;
    left_ = &lane.fiber_;
    return std::move(next());
  });
}

/// Goes on with the next lane that has its answer, or with the scheduler after the last; until `own` is next itself.
void EmulatedWave::leave(fiber& own) {
  fiber& other = next();
  if (&other == &own) return;
  left_ = &own;
  fiber before = std::move(other).resume();
  *left_ = std::move(before);
}

fiber& EmulatedWave::next() {
  while (next_ < lanes_.size() && lanes_[next_]->asks_ != Question::nothing) ++next_;
  if (next_ == lanes_.size()) return scheduler_;
  EmulatedLane& lane = *lanes_[next_++];
  owner_.resume(lane);
  return lane.fiber_;
}

bool EmulatedWave::step() {
  next_ = 0;
  leave(scheduler_);
  return answer();
}

bool EmulatedWave::answer() {
  const std::byte* behind = nullptr;
  for (std::size_t first = 0; first < lanes_.size(); first += warp_lanes) {
    const WarpLanes warp = &lanes_[first];
    const auto asks_the_same = [&](const auto& lane) {
      return lane->asks_ == warp[0]->asks_ && lane->place_ == warp[0]->place_;
    };
    if (!std::all_of(warp, warp + warp_lanes, asks_the_same)) return false;
    if (!is_waiting(warp[0]->asks_) && (behind == nullptr || warp[0]->place_ < behind)) behind = warp[0]->place_;
  }
  if (behind == nullptr) return go_on_in_step();
  const auto is_behind = [&](const auto& lane) { return !is_waiting(lane->asks_) && lane->place_ == behind; };
  const bool any =
      std::any_of(lanes_.begin(), lanes_.end(), [&](const auto& lane) { return is_behind(lane) && lane->value_ != 0; });
  for (std::size_t first = 0; first < lanes_.size(); first += warp_lanes)
    if (is_behind(lanes_[first])) answer_warp(&lanes_[first], any);
  return true;
}

/// Warps that have nothing more to do in a loop wait for those that have.
bool EmulatedWave::go_on_in_step() {
  bool goes_on = false;
  for (const auto& lane : lanes_) {
    if (lane->asks_ != Question::in_step) continue;
    lane->asks_ = Question::nothing;
    goes_on = true;
  }
  return goes_on || has_ended() || waits_for_block();
}

void EmulatedWave::answer_warp(WarpLanes warp, bool any) {
  const Question asked = warp[0]->asks_;
  if (asked == Question::meet_in_warp) owner_.met_in_warp(*warp[0]);
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < warp_lanes; ++i) bits |= (warp[i]->value_ & 1u) << i;
  for (std::uint32_t i = 0; i < warp_lanes; ++i) {
    EmulatedLane& lane = *warp[i];
    lane.answer_ = asked == Question::shuffle  ? warp[lane.of_]->value_
                   : asked == Question::ballot ? bits
                   : asked == Question::any    ? any
                                               : bits != 0;
    lane.asks_ = Question::nothing;
  }
}

bool EmulatedWave::has_ended() const {
  return std::all_of(lanes_.begin(), lanes_.end(), [](const auto& l) { return l->asks_ == Question::nothing_more; });
}

bool EmulatedWave::waits_for_block() const {
  return !has_ended() && std::all_of(lanes_.begin(), lanes_.end(), [](const auto& l) {
    return l->asks_ == Question::meet_in_block || l->asks_ == Question::nothing_more;
  });
}

void EmulatedWave::release() {
  for (const auto& lane : lanes_)
    if (lane->asks_ == Question::meet_in_block) lane->asks_ = Question::nothing;
}

}  // namespace airamp::gpu::device
