// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/shared_scratch.hpp"

#include <mutex>

#include "pmpi/job/job.hpp"
#include "pmpi/mpi/process_wide.hpp"

namespace airamp::pmpi {
namespace {

struct SharedByAll {
  std::mutex mutex;
  // kept when the last algorithm goes: a program that makes a communicator for every step would have it made every time
  std::shared_ptr<WireScratch> scratch;
};
constinit ProcessWide<SharedByAll> shared_by_all;

}  // namespace

std::shared_ptr<WireScratch> shared_scratch(CommunicatorResources& resources) {
  // receives that are posted before their call wait in the rows while others run
  if (job().settings.pola_post_receives) return std::make_shared<WireScratch>();
  if (job().several_threads) {
    std::shared_ptr<WireScratch> scratch = resources.scratch.lock();
    if (scratch == nullptr) resources.scratch = scratch = std::make_shared<WireScratch>();
    return scratch;
  }
  auto& [mutex, of_all] = *shared_by_all;
  const std::lock_guard lock(mutex);
  if (of_all == nullptr) of_all = std::make_shared<WireScratch>();
  return of_all;
}

void release_shared_scratch() {
  auto& [mutex, of_all] = *shared_by_all;
  const std::lock_guard lock(mutex);
  of_all.reset();
}

}  // namespace airamp::pmpi
