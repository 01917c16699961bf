// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What it is worth that the graph of a launch is kept, on the first GPU: a small kernel, launched as such, as a graph
// that is made for it, as a graph that gets other arguments, and as the same graph again, by what the plugin launches
// with. Microseconds of the launch alone, and until the host sees the kernel's flag in its memory; medians, in turns.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gpu/cuda/kernel_launcher.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int turns = 1001;
constexpr int warm_up_turns = 100;

/// As large as those of a collective.
struct Arguments {
  std::uint32_t* flag = nullptr;
  std::uint32_t changing = 0;
  std::array<std::uint64_t, 30> others{};
};

__global__ void raise_flag(const Arguments arguments) { *static_cast<volatile std::uint32_t*>(arguments.flag) = 1; }

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "launch_costs: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

enum Way : std::size_t { kernel, made, updated, kept, ways };
constexpr std::array<const char*, ways> names{"kernel", "graph made anew", "graph with other arguments",
                                              "the same graph again"};

struct Times {
  std::vector<double> launch;
  std::vector<double> seen;
};

class Launches {
 public:
  Launches() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    check(cudaHostAlloc(reinterpret_cast<void**>(&arguments_.flag), sizeof *arguments_.flag, cudaHostAllocMapped),
          "allocating pinned memory");
  }

  void run(Way way, Times& times) {
    // The timed launch finds what the way says.
    if (way == made) launchers_[way].close();
    if (way == updated) ++arguments_.changing;  // no graph of the launcher has these
    if (way == kept) {
      Times untimed;
      launch(way, untimed);
    }
    launch(way, times);
  }

 private:
  void launch(Way way, Times& times) {
    const auto function = reinterpret_cast<const void*>(raise_flag);
    const std::atomic_ref<std::uint32_t> flag(*arguments_.flag);
    flag.store(0);
    const Clock::time_point begin = Clock::now();
    if (way == kernel) {
      void* pointers[] = {&arguments_};
      check(cudaLaunchKernel(function, dim3(1), dim3(32), pointers, 0, stream_), "launching a kernel");
    } else {
      check(launchers_[way].launch(function, dim3(1), dim3(32), &arguments_, sizeof arguments_, stream_),
            "launching a graph");
    }
    const Clock::time_point launched = Clock::now();
    while (flag.load(std::memory_order_acquire) == 0) {
    }
    const Clock::time_point seen = Clock::now();
    check(cudaStreamSynchronize(stream_), "running a kernel");
    times.launch.push_back(std::chrono::duration<double, std::micro>(launched - begin).count());
    times.seen.push_back(std::chrono::duration<double, std::micro>(seen - begin).count());
  }

  std::array<airamp::gpu::platform::KernelLauncher, ways> launchers_;
  cudaStream_t stream_ = nullptr;
  Arguments arguments_;
};

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

int main() {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "looking for GPUs");
  Launches launches;
  std::array<Times, ways> times;
  for (int turn = -warm_up_turns; turn < turns; ++turn) {
    for (std::size_t i = 0; i < ways; ++i) {
      // None always goes first.
      const auto way = static_cast<Way>((i + static_cast<std::size_t>(turn + warm_up_turns)) % ways);
      Times untimed;
      launches.run(way, turn < 0 ? untimed : times[way]);
    }
  }
  std::printf("%-28s  %10s  %8s  %10s  %8s\n", "launch", "call us", "gain", "to flag us", "gain");
  const double call = median(times[kernel].launch);
  const double flag = median(times[kernel].seen);
  for (std::size_t way = 0; way < ways; ++way) {
    const double own_call = median(times[way].launch);
    const double own_flag = median(times[way].seen);
    std::printf("%-28s  %10.2f  %7.2fx  %10.2f  %7.2fx\n", names[way], own_call, call / own_call, own_flag,
                flag / own_flag);
  }
  return 0;
}
