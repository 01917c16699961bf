// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What the application does to its process and to the settings of its device.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "mpitests/real_device/device_memory.hpp"
#include "mpitests/real_device/neighbours/cases.hpp"
#include "mpitests/real_device/neighbours/deadline.hpp"
#include "mpitests/real_device/neighbours/sum.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr std::size_t elements = 1U << 20U;

/// A child of this process that lives until it is told to end.
class Child {
 public:
  Child() {
    if (pipe(ends_) != 0) std::abort();
    id_ = fork();
    if (id_ != 0) {
      close(ends_[0]);
      return;
    }
    close(ends_[1]);
    char byte = 0;
    _exit(read(ends_[0], &byte, 1) == 0 ? 0 : 1);
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Whether it was there and ended as it should.
  bool end() {
    if (id_ <= 0) return false;
    close(ends_[1]);
    int status = 0;
    const bool right = waitpid(id_, &status, 0) == id_ && status == 0;
    id_ = 0;
    return right;
  }

 private:
  int ends_[2] = {-1, -1};
  pid_t id_ = 0;
};

struct Limit {
  const char* name;
  cudaLimit limit;
  std::size_t value;
};

std::string set(const Limit& limit) {
  const cudaError_t status = cudaDeviceSetLimit(limit.limit, limit.value);
  if (status == cudaSuccess) return "";
  cudaGetLastError();
  return std::string("cudaDeviceSetLimit of the ") + limit.name + ": " + cudaGetErrorString(status);
}

std::string check(const Limit& limit) {
  std::size_t value = 0;
  require(cudaDeviceGetLimit(&value, limit.limit), "cudaDeviceGetLimit");
  return value >= limit.value ? "" : std::string("the ") + limit.name + " is " + std::to_string(value);
}

}  // namespace

Outcome fork_after_init(const Job& job) {
  Outcome outcome;
  const DeviceMemory send(elements * sizeof(float));
  const DeviceMemory receive(elements * sizeof(float));
  Sum sum(job, send.data(), receive.data(), elements);
  outcome.mistake = sum.settle();
  {
    Child child;
    Deadline::doing("MPI_Allreduce while a child of the process lives");
    keep_first(outcome.mistake, sum.settle());
    Deadline::doing("waiting for the child");
    if (!child.end()) keep_first(outcome.mistake, "the child process did not end as it should");
  }
  Deadline::doing("a command of the shell's");
  if (std::system("true") != 0) keep_first(outcome.mistake, "a command of the shell's failed");
  Deadline::doing("MPI_Allreduce after children have ended");
  keep_first(outcome.mistake, sum.settle());
  return outcome;
}

Outcome device_limits(const Job& job) {
  constexpr Limit limits[] = {{"stack of a thread", cudaLimitStackSize, 16U << 10U},
                              {"heap of kernels", cudaLimitMallocHeapSize, 32U << 20U},
                              {"buffer of printf", cudaLimitPrintfFifoSize, 4U << 20U}};
  Outcome outcome;
  const DeviceMemory send(elements * sizeof(float));
  const DeviceMemory receive(elements * sizeof(float));
  Sum sum(job, send.data(), receive.data(), elements);
  outcome.mistake = sum.settle();
  for (const Limit& limit : limits) {
    Deadline::doing("cudaDeviceSetLimit");
    keep_first(outcome.mistake, set(limit));
    Deadline::doing("MPI_Allreduce after cudaDeviceSetLimit");
    keep_first(outcome.mistake, sum.settle());
    keep_first(outcome.mistake, check(limit));
  }
  return outcome;
}

}  // namespace airamp::gpu_tests
