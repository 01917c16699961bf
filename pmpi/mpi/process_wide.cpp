// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/process_wide.hpp"

#include <mutex>

namespace airamp::pmpi {
namespace {

constinit std::mutex mutex;  // nothing that is made under it asks for another such object
constinit std::atomic<ProcessWidePlace*> newest{nullptr};

}  // namespace

ProcessWidePlace* ProcessWidePlace::first() noexcept { return newest.load(std::memory_order_acquire); }

void* ProcessWidePlace::make() noexcept {
  const std::lock_guard lock(mutex);
  void* object = object_.load(std::memory_order_relaxed);
  if (object != nullptr) return object;  // another thread was faster
  object = make_();
  object_.store(object, std::memory_order_release);
  if (!listed_) {
    listed_ = true;
    next_ = newest.load(std::memory_order_relaxed);
    newest.store(this, std::memory_order_release);
  }
  return object;
}

}  // namespace airamp::pmpi
