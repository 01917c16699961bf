// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/measure/common_start.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

// Each rank's word: the moment at which it came, in nanoseconds, times two, and whether all is well.
constexpr std::uint64_t well_bit = 1;

std::chrono::nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

/// How long it takes at most until all ranks have left a meeting, if each of them has a processor.
std::chrono::nanoseconds time_to_leave(const CommunicatorState& state) {
  return std::chrono::microseconds(2) + state.size * std::chrono::nanoseconds(50);
}

/// Nothing where the ranks cannot meet.
std::optional<CommonStart> meet(const CommunicatorState& state, bool well) {
  HostMeeting* const meeting = state.resources.host_meeting();
  if (meeting == nullptr) return std::nullopt;
  const HostMeeting::Words words = meeting->meet(2 * static_cast<std::uint64_t>(now().count()) + (well ? well_bit : 0));
  if (meeting->has_failed()) return std::nullopt;
  const auto* const end = words.begin() + state.size;
  const std::chrono::nanoseconds last_came(*std::max_element(words.begin(), end) / 2);
  const bool all_well = std::all_of(words.begin(), end, [](std::uint64_t word) { return (word & well_bit) != 0; });
  // in another time namespace the clock may be another one
  return CommonStart{.all_well = all_well, .moment = std::min(last_came, now()) + time_to_leave(state)};
}

}  // namespace

void CommonStart::wait() const {
  while (now() < moment) {
  }
}

Result<CommonStart> agree_on_start(const CommunicatorState& state, bool well) {
  if (const std::optional<CommonStart> start = meet(state, well)) return *start;
  const Result<bool> all_well = agree_on_success(state.comm, well);
  if (!all_well.ok()) return MpiError{all_well.error()};
  return CommonStart{.all_well = *all_well};
}

int start_together(const CommunicatorState& state) {
  const std::optional<CommonStart> start = meet(state, true);
  if (!start) return native().MPI_Barrier(state.comm);
  start->wait();
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
