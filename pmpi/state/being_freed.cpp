// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/being_freed.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace airamp::pmpi {
namespace {

struct Entry {
  MPI_Comm comm;
  pthread_t thread;
  bool operator==(const Entry& other) const { return comm == other.comm && pthread_equal(thread, other.thread) != 0; }
};

std::mutex mutex;
auto& entries = *new std::vector<Entry>;  // never destroyed: exit handlers may free communicators
std::atomic<std::size_t> count{0};        // so that others need not lock

}  // namespace

BeingFreed::BeingFreed(MPI_Comm comm) : comm_(comm) {
  const std::lock_guard lock(mutex);
  entries.push_back({.comm = comm, .thread = pthread_self()});
  count.store(entries.size(), std::memory_order_relaxed);
}

BeingFreed::~BeingFreed() {
  const std::lock_guard lock(mutex);
  // also what an earlier call left whose error handler jumped away
  std::erase(entries, Entry{.comm = comm_, .thread = pthread_self()});
  count.store(entries.size(), std::memory_order_relaxed);
}

bool BeingFreed::includes(MPI_Comm comm) noexcept {
  if (count.load(std::memory_order_relaxed) == 0) return false;  // a thread sees its own entries
  const std::lock_guard lock(mutex);
  return std::find(entries.begin(), entries.end(), Entry{.comm = comm, .thread = pthread_self()}) != entries.end();
}

}  // namespace airamp::pmpi
