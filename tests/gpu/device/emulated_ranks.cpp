// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/device/emulated_ranks.hpp"

#include <algorithm>
#include <cstring>

#include "gpu/runtime/launch/launch.hpp"
#include "gpu/runtime/queue_clock.hpp"
#include "tests/gpu/peer/expected_result.hpp"

// What the runtime has elsewhere, in files that need a GPU's library.
namespace airamp::gpu::runtime {

bool order_if_nobody_has(Queue*, Error&) noexcept { return true; }

/// Time does not pass: nothing here gives up waiting.
std::uint64_t nanoseconds_now() noexcept { return 0; }

bool fill_with_holes(std::byte* memory, std::size_t bytes, platform::Stream, Error&) noexcept {
  std::memset(memory, 0xff, bytes);
  return true;
}

}  // namespace airamp::gpu::runtime

namespace airamp::gpu::test {
namespace {

constexpr std::size_t margin_bytes = 64;
constexpr std::size_t region_alignment = 1024;

Bytes guarded(const Bytes& content, std::size_t before) {
  Bytes bytes(before + content.size() + margin_bytes, untouched);
  std::copy(content.begin(), content.end(), bytes.begin() + static_cast<std::ptrdiff_t>(before));
  return bytes;
}

std::byte* aligned(std::byte* pointer, std::size_t to) {
  return pointer + (to - reinterpret_cast<std::uintptr_t>(pointer) % to) % to;
}

std::string of_rank(const std::string& wrong, int rank) {
  return wrong.empty() ? wrong : "rank " + std::to_string(rank) + ": " + wrong;
}

}  // namespace

EmulatedRank::EmulatedRank(const PeerCase& c, int rank, std::uint32_t wave_lanes)
    : case_(c),
      rank_(rank),
      scratch_(c.region_bytes + region_alignment, std::byte{0xff}),
      region_(aligned(scratch_.data(), region_alignment)),
      before_(margin_bytes + c.skipped * size_of(c.type)) {
  stream_.wave_lanes = wave_lanes;
  stream_.is_local = [this](const std::uint32_t* place) {
    const auto* const byte = reinterpret_cast<const std::byte*>(place);
    const auto* const state = reinterpret_cast<const std::byte*>(&state_);
    return (byte >= region_ && byte < region_ + case_.region_bytes) || (byte >= state && byte < state + sizeof state_);
  };
  words_.flag = device::launch_done;
  words_.one = 1;
  queue_.device = &device_;
  queue_.stream = &stream_;
  queue_.control = &control_;
  queue_.state = &state_;
  queue_.words = &words_;
  refill();
}

bool EmulatedRank::is_done() const { return words_.said() == device::launch_done; }

void EmulatedRank::refill() {
  input_ = guarded(case_.in_place ? Bytes{} : input_of(case_, rank_), before_);
  output_ = guarded(output_before(case_, rank_), before_);
}

bool EmulatedRank::launch(const std::vector<std::byte*>& regions, int multiprocessors, Error& error) {
  PeerCollective collective = collective_of(case_, rank_);
  collective.multiprocessors = multiprocessors;
  std::copy(regions.begin(), regions.end(), collective.region.begin());
  collective.input = (case_.in_place ? output_ : input_).data() + before_;
  collective.output = output_.data() + before_;
  if (case_.in_place && case_.pattern == Pattern::allgather)
    collective.input = output_.data() + before_ + block_of(case_, rank_).offset * size_of(case_.type);
  return runtime::launch(&queue_, collective, error);
}

std::string EmulatedRank::wrong_output() const { return difference_from(expected_output(case_, rank_)); }

std::string EmulatedRank::wrong_if_written() const { return difference_from(output_before(case_, rank_)); }

std::string EmulatedRank::difference_from(const Bytes& wanted) const {
  const auto begin = output_.begin() + static_cast<std::ptrdiff_t>(before_);
  const auto end = begin + static_cast<std::ptrdiff_t>(wanted.size());
  const auto other = [](std::byte b) { return b != untouched; };
  if (std::any_of(output_.begin(), begin, other) || std::any_of(end, output_.end(), other))
    return "memory beside the output was written";
  if (!case_.in_place && input_ != guarded(input_of(case_, rank_), before_)) return "the input was written";
  return difference(case_, Bytes(begin, end), wanted);
}

std::string EmulatedRank::wrong_region() const {
  const auto* const end = region_ + case_.region_bytes;
  const auto* const wrong =
      std::find_if(region_, region_ + case_.region_bytes, [](std::byte b) { return b != std::byte{0xff}; });
  return wrong == end ? std::string() : "no hole in the region at byte " + std::to_string(wrong - region_);
}

std::string EmulatedRank::wrong_state() const {
  const auto& s = state_;
  const bool is_idle = (s.begun | s.called_off | s.ended | s.leave | s.accepted | s.refused) == 0;
  return is_idle ? std::string() : "something is left in the launch's state";
}

EmulatedRanks::EmulatedRanks(const PeerCase& c, const EmulatedMachine& machine)
    : multiprocessors_(machine.multiprocessors) {
  device::emulated_gpus.reset(machine.seed);
  for (int r = 0; r < c.size; ++r)
    ranks_.push_back(std::make_unique<EmulatedRank>(
        c, r, machine.wave_lanes[static_cast<std::size_t>(r) % machine.wave_lanes.size()]));
  device::emulated_gpus.host_looks = [this] { look(); };
}

EmulatedRanks::~EmulatedRanks() {
  device::emulated_gpus.host_looks = [] {};
}

template <class Check>
std::string EmulatedRanks::first_wrong(Check check) {
  std::string wrong;
  for (int r = 0; r < size() && wrong.empty(); ++r) wrong = of_rank(check(r), r);
  return wrong;
}

std::string EmulatedRanks::launch() {
  seen_.assign(ranks_.size(), false);
  wrong_.clear();
  std::vector<std::byte*> regions;
  for (const auto& rank : ranks_) regions.push_back(rank->region());
  for (int r = 0; r < size(); ++r) {
    Error error;
    if (!ranks_[static_cast<std::size_t>(r)]->launch(regions, multiprocessors_, error))
      return of_rank(error.text.data(), r);
  }
  return {};
}

void EmulatedRanks::look() {
  for (int r = 0; r < size(); ++r) {
    if (seen_[static_cast<std::size_t>(r)] || !(*this)[r].is_done()) continue;
    seen_[static_cast<std::size_t>(r)] = true;
    if (wrong_.empty()) wrong_ = of_rank((*this)[r].wrong_output(), r);
    if (wrong_.empty()) wrong_ = of_rank((*this)[r].wrong_region(), r);
  }
}

std::string EmulatedRanks::wait() {
  while (wrong_.empty() && std::find(seen_.begin(), seen_.end(), false) != seen_.end())
    if (!device::emulated_gpus.go_on()) return "a launch never ends";
  while (wrong_.empty() && !device::emulated_gpus.are_idle())
    if (!device::emulated_gpus.go_on()) return "a block never ends";
  device::emulated_gpus.memory.deliver_all();
  // what arrives behind a launch must be no more than its reader has taken already
  return wrong_.empty() ? first_wrong([&](int r) { return (*this)[r].wrong_region(); }) : wrong_;
}

std::string EmulatedRanks::run() {
  std::string wrong = launch();
  if (wrong.empty()) wrong = wait();
  return wrong.empty() ? first_wrong([&](int r) { return (*this)[r].wrong_state(); }) : wrong;
}

}  // namespace airamp::gpu::test
