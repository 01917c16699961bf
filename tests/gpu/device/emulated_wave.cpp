// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/device/emulated_wave.hpp"

#include <algorithm>
#include <utility>

namespace airamp::gpu::device {
namespace {

constexpr std::size_t stack_bytes = 262144;
std::vector<std::unique_ptr<std::byte[]>> unused_stacks;

/// What a warp can only go on from together with the rest of its wave or block.
bool is_waiting(EmulatedLane::Question question) {
  using Question = EmulatedLane::Question;
  return question == Question::in_step || question == Question::meet_in_block || question == Question::nothing_more;
}

}  // namespace

EmulatedLane::EmulatedLane(EmulatedWave& wave, std::uint32_t thread, std::uint32_t number)
    : wave_(wave), thread_(thread), number_(number) {
  if (unused_stacks.empty()) unused_stacks.push_back(std::make_unique_for_overwrite<std::byte[]>(stack_bytes));
  stack_ = std::move(unused_stacks.back());
  unused_stacks.pop_back();
}

EmulatedLane::~EmulatedLane() { unused_stacks.push_back(std::move(stack_)); }

std::uint32_t EmulatedLane::ask(Question question, const void* place, std::uint32_t value, std::uint32_t of) {
  asks_ = question;
  place_ = static_cast<const std::byte*>(place);
  value_ = value;
  of_ = of;
  wave_.go_on(context_);
  return answer_;
}

EmulatedWave::EmulatedWave(EmulatedWaveOwner& owner, std::uint32_t first_thread, std::uint32_t threads,
                           std::uint32_t first_number)
    : owner_(owner) {
  for (std::uint32_t i = 0; i < threads; ++i)
    lanes_.push_back(std::make_unique<EmulatedLane>(*this, first_thread + i, first_number + i));
  for (const auto& lane : lanes_) start(*lane);
}

void EmulatedWave::start(EmulatedLane& lane) {
  getcontext(&lane.context_);
  lane.context_.uc_stack.ss_sp = lane.stack_.get();
  lane.context_.uc_stack.ss_size = stack_bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(&lane);
  makecontext(&lane.context_, reinterpret_cast<void (*)()>(run_lane), 2, static_cast<unsigned>(address >> 32),
              static_cast<unsigned>(address));
}

void EmulatedWave::run_lane(unsigned high, unsigned low) {
  auto& lane = *reinterpret_cast<EmulatedLane*>(static_cast<std::uintptr_t>(high) << 32 | low);
  lane.wave_.owner_.run(lane);
  lane.asks_ = Question::nothing_more;
  lane.wave_.go_on(lane.context_);
}

/// Leaves `from` for the next lane that has its answer, or for the scheduler after the last.
void EmulatedWave::go_on(ucontext_t& from) {
  while (next_ < lanes_.size() && lanes_[next_]->asks_ != Question::nothing) ++next_;
  if (next_ < lanes_.size()) {
    EmulatedLane& lane = *lanes_[next_++];
    owner_.resume(lane);
    swapcontext(&from, &lane.context_);
  } else if (&from != &scheduler_) {
    swapcontext(&from, &scheduler_);
  }
}

bool EmulatedWave::step() {
  next_ = 0;
  go_on(scheduler_);
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
