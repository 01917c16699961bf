// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/measuring_scratch.hpp"

#include "pmpi/job/job.hpp"
#include "pmpi/job/memory_room.hpp"

namespace airamp::pmpi {
namespace {

/// Less than the system itself comes and goes with all the time: a measured call takes at most three of these, and a
/// persistent request one.
constexpr std::size_t few_bytes = std::size_t{64} << 10U;

}  // namespace

bool MeasuringScratch::affordable(std::size_t bytes) {
  const MemoryRoom room = bytes <= few_bytes ? own_memory_room() : memory_room();
  return room.affords(bytes, static_cast<std::uint64_t>(job().ranks_on_host));
}

}  // namespace airamp::pmpi
