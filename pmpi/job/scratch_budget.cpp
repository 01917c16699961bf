// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/scratch_budget.hpp"

#include <atomic>

#include "pmpi/job/job.hpp"
#include "pmpi/job/memory_room.hpp"
#include "pmpi/mpi/process_wide.hpp"

namespace airamp::pmpi {
namespace {

constinit ProcessWide<std::atomic<std::uint64_t>> taken;

/// Whether the budget had so much left; it is taken then.
bool take(std::uint64_t bytes) {
  const std::uint64_t budget = job().settings.host_scratch;
  std::uint64_t before = taken->load(std::memory_order_relaxed);
  do {
    if (before > budget || bytes > budget - before) return false;
  } while (!taken->compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
  return true;
}

}  // namespace

std::string_view why_no_scratch(ScratchAnswer answer) {
  switch (answer) {
    case ScratchAnswer::limited:
      return "the memory of some rank's host, control group or resource limits is nearly used up";
    case ScratchAnswer::over_budget:
      return "some rank's scratch would exceed host_scratch (AIRAMP_HOST_SCRATCH)";
    case ScratchAnswer::no_memory:
    case ScratchAnswer::held:
      break;
  }
  return "some rank had no memory for it";
}

BudgetShare::BudgetShare(std::uint64_t bytes) {
  if (!memory_room().affords(bytes, static_cast<std::uint64_t>(job().ranks_on_host))) {
    throw NoScratch(ScratchAnswer::limited);
  }
  if (!take(bytes)) throw NoScratch(ScratchAnswer::over_budget);
  bytes_ = bytes;
}

BudgetShare::~BudgetShare() { taken->fetch_sub(bytes_, std::memory_order_relaxed); }

}  // namespace airamp::pmpi
