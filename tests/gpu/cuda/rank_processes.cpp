// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/cuda/rank_processes.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <vector>

#include "tests/gpu/cuda/cuda_device.hpp"

namespace airamp::gpu::test {
namespace {

[[noreturn]] void run_child(SharedState& state, int rank, int size, const std::function<void(const Rank&)>& program) {
  const Rank self(state, rank, size);
  try {
    program(self);
  } catch (const std::exception& error) {
    self.fail(error.what());
  }
  std::fflush(stdout);
  _exit(0);
}

}  // namespace

void Rank::meet() const {
  const std::uint32_t generation = state_.generation.load();
  if (state_.arrived.fetch_add(1) + 1 == static_cast<std::uint32_t>(size_)) {
    state_.arrived = 0;
    ++state_.generation;
    return;
  }
  for (unsigned spin = 0; state_.generation.load() == generation; ++spin) {
    if (state_.failed) throw std::runtime_error("another rank has failed");
    if (spin > 1000) sched_yield();
  }
}

void Rank::fail(const std::string& reason) const {
  if (!state_.failed.exchange(true))
    std::snprintf(state_.failure, sizeof state_.failure, "rank %d of %d: %s", rank_, size_, reason.c_str());
  std::fflush(stdout);
  _exit(1);
}

std::string run_ranks(int size, unsigned seconds, const std::function<void(const Rank&)>& program) {
  void* memory = mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return "no shared memory";
  auto* state = new (memory) SharedState;
  std::fflush(stdout);
  std::vector<pid_t> children;
  for (int rank = 0; rank < size; ++rank) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(seconds);
      run_child(*state, rank, size, program);
    }
    children.push_back(child);
  }
  std::string failure;
  while (!children.empty()) {
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    std::erase(children, child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    if (failure.empty() && WIFSIGNALED(status))
      failure = "a rank was ended by signal " + std::to_string(WTERMSIG(status));
    else if (failure.empty())
      failure = "a rank has failed";
    // The others may wait for it on the GPU for ever.
    state->failed = true;
    for (const pid_t other : children) kill(other, SIGKILL);
  }
  if (state->failure[0] != '\0') failure = state->failure;
  munmap(memory, sizeof(SharedState));
  return failure;
}

int count_gpus_elsewhere() {
  static const int count = [] {
    const pid_t child = fork();
    if (child == 0) _exit(count_gpus());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  }();
  return count;
}

Regions::Regions(const Rank& rank, Device* device, std::size_t bytes) : rank_(rank), device_(device), bytes_(bytes) {
  Error error;
  const int own = rank.rank();
  const Backend& backend = OpenedDevice::backend();
  region_[own] = backend.allocate(device, bytes, rank.state().memory[own], error);
  check(region_[own] != nullptr, error);
  rank.meet();
  for (int r = 0; r < rank.size(); ++r) {
    if (r == own) continue;
    region_[r] = backend.map(device, rank.state().memory[r], error);
    check(region_[r] != nullptr, error);
  }
  rank.meet();
}

Regions::~Regions() {
  for (int r = 0; r < rank_.size(); ++r) {
    if (r != rank_.rank() && region_[r] != nullptr) OpenedDevice::backend().unmap(device_, region_[r]);
  }
  try {
    rank_.meet();  // nobody frees what another one has mapped
  } catch (const std::exception&) {
  }
  OpenedDevice::backend().free(device_, region_[rank_.rank()]);
}

}  // namespace airamp::gpu::test
