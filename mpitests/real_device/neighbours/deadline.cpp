// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/neighbours/deadline.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <utility>

namespace airamp::gpu_tests {
namespace {

std::atomic<const char*> current{"starting"};

}  // namespace

Deadline::Deadline(std::string name, int rank, std::chrono::seconds limit)
    : name_(std::move(name)), rank_(rank), limit_(limit), thread_([this] { watch(); }) {}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void Deadline::doing(const char* what) { current = what; }

void Deadline::watch() {
  std::unique_lock lock(mutex_);
  if (over_.wait_for(lock, limit_, [this] { return ended_; })) return;
  std::printf("wrong: %s, rank %d: HANGS, not over after %lld s, in: %s\n", name_.c_str(), rank_,
              static_cast<long long>(limit_.count()), current.load());
  std::fflush(stdout);
  _exit(1);
}

}  // namespace airamp::gpu_tests
