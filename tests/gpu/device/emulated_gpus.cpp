// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/device/emulated_gpus.hpp"

#include <algorithm>

namespace airamp::gpu::device {
namespace {

constexpr std::uint32_t max_threads = 1024;
/// Longer than any code takes between two changes, however lazy its wave is.
constexpr int max_turns_in_vain = 6000;

}  // namespace

EmulatedGpus emulated_gpus;

EmulatedBlock::EmulatedBlock(std::shared_ptr<const EmulatedGrid> grid, std::uint32_t index, std::uint32_t number,
                             EmulatedMemory& memory, std::mt19937& random)
    : grid_(std::move(grid)), index_(index), number_(number), memory_(memory) {
  for (std::uint32_t first = 0; first < grid_->threads; first += grid_->wave_lanes) {
    const std::uint32_t threads = std::min(grid_->wave_lanes, grid_->threads - first);
    const auto laziness = static_cast<std::uint32_t>(random() % 4 == 0 ? 10 : 1 + random() % 2);
    waves_.push_back({std::make_unique<EmulatedWave>(*this, first, threads, number * max_threads + first), laziness});
  }
}

bool EmulatedBlock::step(std::mt19937& random) {
  for (const Wave& w : waves_)
    if (random() % w.laziness == 0 && !w.wave->step()) return false;
  const auto waits = [](const Wave& w) { return w.wave->waits_for_block() || w.wave->has_ended(); };
  if (has_ended() || !std::all_of(waves_.begin(), waves_.end(), waits)) return true;
  memory_.meet_in_block(number_);
  for (const Wave& w : waves_) w.wave->release();
  return true;
}

bool EmulatedBlock::has_ended() const {
  return std::all_of(waves_.begin(), waves_.end(), [](const Wave& w) { return w.wave->has_ended(); });
}

void EmulatedBlock::resume(EmulatedLane& lane) {
  emulated_gpus.lane = &lane;
  emulated_gpus.block = this;
  emulated_gpus.thread_index = {lane.thread()};
  emulated_gpus.block_index = {index_};
  emulated_gpus.block_size = {grid_->threads};
  emulated_gpus.grid_size = {grid_->blocks};
}

void EmulatedGpus::launch(EmulatedGrid grid) {
  grid.number = launch_number_++;
  const auto shared = std::make_shared<const EmulatedGrid>(std::move(grid));
  for (std::uint32_t b = 0; b < shared->blocks; ++b) waiting_.emplace_back(shared, b);
  note_change();
}

void EmulatedGpus::begin_blocks() {
  std::erase_if(waiting_, [this](const auto& waiting) {
    const auto& [grid, index] = waiting;
    if (random_() % 4 == 0 || !grid->has_room(index)) return false;
    blocks_.push_back(std::make_unique<EmulatedBlock>(grid, index, block_number_++, memory, random_));
    note_change();
    return true;
  });
}

bool EmulatedGpus::go_on() {
  if (is_broken_ || ++turns_in_vain_ > max_turns_in_vain) return false;
  begin_blocks();
  for (const auto& b : blocks_) is_broken_ |= !b->step(random_);
  if (std::erase_if(blocks_, [](const auto& b) { return b->has_ended(); }) != 0) note_change();
  if (memory.deliver_some()) note_change();
  return !is_broken_;
}

void EmulatedGpus::reset(std::uint32_t seed) {
  blocks_.clear();
  waiting_.clear();
  memory.clear();
  host_looks = [] {};
  block_number_ = 0;
  is_broken_ = false;
  random_.seed(seed);
  note_change();
}

}  // namespace airamp::gpu::device
