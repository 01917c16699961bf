// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/started/started_requests.hpp"

#include <algorithm>
#include <utility>

#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

std::unique_lock<std::mutex> StartedRequests::lock() noexcept {
  std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
  if (job().several_threads.load(std::memory_order_relaxed)) lock.lock();
  return lock;
}

std::unique_ptr<StartedRequest> StartedRequests::take_out(const StartedRequest* request) noexcept {
  const auto place = std::find_if(all_.begin(), all_.end(), [&](const auto& owned) { return owned.get() == request; });
  std::unique_ptr<StartedRequest> taken = std::move(*place);
  all_.erase(place);
  return taken;
}

StartedRequests::Ended StartedRequests::take_what_ran(StartedRequest& request) noexcept {
  return {.starts = std::move(request.starts),
          .carrier = std::move(request.start.carrier),
          .copied = std::move(request.copied)};
}

/// Those that the program has given up and that are complete by now.
void StartedRequests::reclaim(std::vector<Ended>& ended) {
  std::erase_if(given_up_, [&](StartedRequest* request) {
    if (!request->is_complete()) return false;
    ended.push_back(take_what_ran(*request));
    if (request->is_persistent) {
      take_out(request);
    } else {
      idle_.push_back(request);
    }
    return true;
  });
}

StartedRequest* StartedRequests::acquire() {
  std::vector<Ended> ended;
  {
    const std::unique_lock<std::mutex> locked = lock();
    if (!given_up_.empty()) reclaim(ended);
    if (!idle_.empty()) {
      StartedRequest* const found = idle_.back();
      idle_.pop_back();
      return found;
    }
  }
  auto made = std::make_unique<StartedRequest>();
  constexpr int to_itself = 0;
  if (made->own.initialise_send(nullptr, 0, to_itself, 0, MPI_COMM_SELF) != MPI_SUCCESS) return nullptr;
  made->request = made->own.handle();
  const std::unique_lock<std::mutex> locked = lock();
  // whatever becomes of it, there is room
  for (auto* places : {&idle_, &active_, &given_up_}) places->reserve(all_.size() + 1);
  all_.push_back(std::move(made));
  return all_.back().get();
}

void StartedRequests::give_back(StartedRequest* request) {
  Ended ended;
  const std::unique_lock<std::mutex> locked = lock();
  if (request->start.runs.load(std::memory_order_acquire)) {
    given_up_.push_back(request);
  } else {
    ended = take_what_ran(*request);
    idle_.push_back(request);
  }
}

void StartedRequests::activate(StartedRequest& request) {
  if (const auto prepare = before_first_start.load(); prepare != nullptr) {
    prepare();
    before_first_start.store(nullptr);
  }
  const std::unique_lock<std::mutex> locked = lock();
  active_.push_back(&request);
  active_count_.store(active_.size(), std::memory_order_release);
}

void StartedRequests::deactivate(StartedRequest& request) noexcept {
  const std::unique_lock<std::mutex> locked = lock();
  std::erase(active_, &request);
  active_count_.store(active_.size(), std::memory_order_release);
}

StartedRequest* StartedRequests::find(MPI_Request request) noexcept {
  const std::unique_lock<std::mutex> locked = lock();
  const std::size_t count = active_.size();
  for (std::size_t looked_at = 0; looked_at < count; ++looked_at) {
    if (next_ >= count) next_ = 0;
    StartedRequest* const found = active_[next_];
    if (found->request == request) return found;
    ++next_;
  }
  return nullptr;
}

StartedRequest* StartedRequests::find_persistent(MPI_Request request) noexcept {
  const std::unique_lock<std::mutex> locked = lock();
  const auto found = std::find_if(persistent_.begin(), persistent_.end(),
                                  [request](const StartedRequest* known) { return known->request == request; });
  return found != persistent_.end() ? *found : nullptr;
}

void StartedRequests::add_persistent(MPI_Request request, const StartArguments& arguments, bool may_be_shared,
                                     std::unique_ptr<CopiedStart> copied) {
  auto made = std::make_unique<StartedRequest>();
  made->request = request;
  made->is_persistent = true;
  made->may_be_shared = may_be_shared;
  made->arguments = arguments;
  made->copied = std::move(copied);
  if (made->copied != nullptr) made->copied->request = request;
  const std::unique_lock<std::mutex> locked = lock();
  for (auto* places : {&active_, &given_up_}) places->reserve(all_.size() + 1);
  persistent_.push_back(made.get());
  all_.push_back(std::move(made));
  persistent_count_.store(persistent_.size(), std::memory_order_release);
}

void StartedRequests::remove_persistent(StartedRequest* request) {
  std::unique_ptr<StartedRequest> removed;
  const std::unique_lock<std::mutex> locked = lock();
  std::erase(persistent_, request);
  persistent_count_.store(persistent_.size(), std::memory_order_release);
  if (request->start.runs.load(std::memory_order_acquire)) {
    if (request->is_on_copies) request->copied->request = MPI_REQUEST_NULL;  // it is freed now
    given_up_.push_back(request);
  } else {
    removed = take_out(request);
  }
}

void StartedRequests::forget(MPI_Comm comm) noexcept {
  if (!any() && !any_persistent()) return;
  const std::unique_lock<std::mutex> locked = lock();
  for (StartedRequest* const request : active_) {
    if (request->comm == comm) request->comm = MPI_COMM_WORLD;
  }
  for (StartedRequest* const request : persistent_) {
    if (request->arguments.comm == comm) request->arguments.comm = MPI_COMM_NULL;
  }
}

void StartedRequests::release() noexcept {
  active_count_.store(0, std::memory_order_release);
  persistent_count_.store(0, std::memory_order_release);
  for (auto* places : {&idle_, &active_, &persistent_, &given_up_}) places->clear();
  for (const auto& request : all_) {  // the MPI library may still write to such copies
    if (request->start.runs.load(std::memory_order_acquire)) static_cast<void>(request->copied.release());
  }
  all_.clear();
}

}  // namespace airamp::pmpi
