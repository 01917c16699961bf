// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What ghost kernels are worth, and what they cost, on the first GPU. First table: the median time from the launch of a
// small kernel until the host sees its completion, after the device was idle for a while, with ghosts in that time and
// without. Second table: the time of an application's kernels back to back, with ghosts launched beside them and
// without. The two are measured in turns; ratios are medians of the turns' ratios.
#include <sys/prctl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

#include "benchmarks/application_kernels.hpp"
#include "codec/codec.hpp"
#include "pmpi/device/ghost_policy.hpp"
#include "tests/gpu/cuda/cuda_device.hpp"

namespace airamp::gpu::test {
namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;
using pmpi::GhostPolicy;

constexpr int turns = 201;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double ratio_of(const std::vector<double>& with, const std::vector<double>& without) {
  std::vector<double> ratios(with.size());
  std::transform(with.begin(), with.end(), without.begin(), ratios.begin(), [](double a, double b) { return a / b; });
  return median(ratios);
}

/// Launches ghosts as pmpi/device/ghost_kernels.cpp does, while told to.
class Ghosts {
 public:
  explicit Ghosts(const OpenedDevice& opened) {
    Error error;
    queue_ = OpenedDevice::backend().open_ghost_queue(opened.device(), error);
    check(queue_ != nullptr, error);
    thread_ = std::thread([this] { run(); });
  }
  Ghosts(const Ghosts&) = delete;
  Ghosts& operator=(const Ghosts&) = delete;
  ~Ghosts() {
    ending_ = true;
    thread_.join();
    OpenedDevice::backend().close_queue(queue_);
  }

  void launch_until(Clock::time_point end) { end_ = end.time_since_epoch().count(); }
  void stop() { end_ = 0; }
  unsigned long launched() const { return launched_; }
  bool failed() const { return failed_; }

 private:
  void run() {
    prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
    while (!ending_) {
      const auto now = Clock::now();
      if (now.time_since_epoch().count() < end_) launch();
      std::this_thread::sleep_until(now + std::chrono::nanoseconds(GhostPolicy::interval_ns));
    }
  }

  void launch() {
    Error error;
    const Progress progress = OpenedDevice::backend().progress(queue_, error);
    if (progress == Progress::running) return;
    if (progress == Progress::failed || !OpenedDevice::backend().launch_ghost(queue_, error))
      failed_ = true;
    else
      ++launched_;
  }

  Queue* queue_ = nullptr;
  std::atomic<Clock::rep> end_ = 0;
  std::atomic<unsigned long> launched_ = 0;
  std::atomic<bool> failed_ = false;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

/// Microseconds from the launch of a small kernel until its completion is seen, after `gap` of idleness.
double first_kernel(const OpenedDevice& opened, const DeviceMemory& memory, Ghosts& ghosts,
                    std::chrono::microseconds gap, bool with_ghosts) {
  check(cudaDeviceSynchronize());
  const auto call = Clock::now() + gap;
  if (with_ghosts && gap >= std::chrono::nanoseconds(GhostPolicy::shortest_gap_ns))
    ghosts.launch_until(call - std::chrono::nanoseconds(GhostPolicy::lead_ns));
  std::this_thread::sleep_until(call - std::min(gap, std::chrono::microseconds(200)));
  while (Clock::now() < call) {
  }
  ghosts.stop();
  Error error;
  const auto begin = Clock::now();
  check(OpenedDevice::backend().encode(opened.queue(), WireFormat::mxfp8_e4m3, ElementType::float16, memory.data(),
                                       codec::wire_row_elements(WireFormat::mxfp8_e4m3), memory.data() + 4096, error),
        error);
  Progress progress = Progress::running;
  while (progress == Progress::running) progress = OpenedDevice::backend().progress(opened.queue(), error);
  check(progress == Progress::done, error);
  return Microseconds(Clock::now() - begin).count();
}

void measure_first_kernels(const OpenedDevice& opened, Ghosts& ghosts) {
  const DeviceMemory memory(8192);
  std::printf("first kernel after idleness, median of %d, us\n%10s | %10s | %10s | %8s | %s\n", turns, "idle",
              "without", "with", "ratio", "ghosts in each");
  for (const int gap_us : {10, 100, 1000, 10000, 100000}) {
    const std::chrono::microseconds gap(gap_us);
    std::vector<double> with;
    std::vector<double> without;
    const unsigned long before = ghosts.launched();
    for (int turn = 0; turn < turns; ++turn) {
      without.push_back(first_kernel(opened, memory, ghosts, gap, false));
      with.push_back(first_kernel(opened, memory, ghosts, gap, true));
    }
    std::printf("%7d us | %10.2f | %10.2f | %8.3f | %.1f\n", gap_us, median(without), median(with),
                ratio_of(with, without), static_cast<double>(ghosts.launched() - before) / turns);
    std::fflush(stdout);
  }
}

/// Microseconds for `launches` of an application's kernel back to back.
template <class Launch>
double back_to_back(Launch launch, int launches) {
  check(cudaDeviceSynchronize());
  const auto begin = Clock::now();
  for (int i = 0; i < launches; ++i) launch();
  check(cudaDeviceSynchronize());
  check(cudaGetLastError());
  return Microseconds(Clock::now() - begin).count();
}

/// A row of the second table. `launch`: one kernel of the application's.
template <class Launch>
void measure_cost(const char* name, Ghosts& ghosts, Launch launch) {
  constexpr int launches = 50;
  std::vector<double> with;
  std::vector<double> without;
  back_to_back(launch, launches);
  const unsigned long before = ghosts.launched();
  for (int turn = 0; turn < turns; ++turn) {
    ghosts.stop();
    without.push_back(back_to_back(launch, launches));
    ghosts.launch_until(Clock::now() + std::chrono::seconds(10));
    with.push_back(back_to_back(launch, launches));
  }
  ghosts.stop();
  std::printf("%-12s | %10.1f | %10.1f | %8.4f | %.1f\n", name, median(without) / launches, median(with) / launches,
              ratio_of(with, without), static_cast<double>(ghosts.launched() - before) / turns);
  std::fflush(stdout);
}

/// `steps` such that a launch of the arithmetic takes about 100 us.
int steps_for(float* data, std::size_t elements) {
  int steps = 64;
  while (steps < (1 << 20)) {
    const auto launch = [&] { launch_arithmetic(data, elements, steps, nullptr); };
    back_to_back(launch, 10);
    if (back_to_back(launch, 10) > 10 * 100) break;
    steps += steps / 4;
  }
  return steps;
}

/// Elements such that a launch of the triad takes about 100 us, but at most as many as there are.
std::size_t elements_for(float* to, const float* from, std::size_t most) {
  std::size_t elements = std::size_t{1} << 20;
  while (elements < most) {
    const auto launch = [&] { launch_triad(to, from, elements, nullptr); };
    back_to_back(launch, 10);
    if (back_to_back(launch, 10) > 10 * 100) break;
    elements = std::min(most, elements + elements / 4);
  }
  return elements;
}

void measure_costs(Ghosts& ghosts) {
  constexpr std::size_t most = std::size_t{64} << 20;
  const DeviceMemory to(most * sizeof(float));
  const DeviceMemory from(most * sizeof(float));
  check(cudaMemset(to.data(), 0, most * sizeof(float)));
  check(cudaMemset(from.data(), 0, most * sizeof(float)));
  auto* target = reinterpret_cast<float*>(to.data());
  const auto* source = reinterpret_cast<const float*>(from.data());
  std::printf("\nthe application's kernels back to back, median of %d, us for each\n%-12s | %10s | %10s | %8s | %s\n",
              turns, "bound by", "without", "with", "ratio", "ghosts in 50 kernels");
  const std::size_t elements = elements_for(target, source, most);
  measure_cost("memory", ghosts, [=] { launch_triad(target, source, elements, nullptr); });
  constexpr std::size_t numbers = std::size_t{1} << 20;
  const int steps = steps_for(target, numbers);
  measure_cost("arithmetic", ghosts, [=] { launch_arithmetic(target, numbers, steps, nullptr); });
}

void measure() {
  const OpenedDevice opened(0);
  Ghosts ghosts(opened);
  measure_first_kernels(opened, ghosts);
  measure_costs(ghosts);
  if (ghosts.failed()) throw std::runtime_error("a ghost could not be launched");
}

}  // namespace
}  // namespace airamp::gpu::test

int main() {
  using namespace airamp::gpu::test;
  if (count_gpus() == 0) {
    std::fprintf(stderr, "there is no GPU here\n");
    return 1;
  }
  try {
    measure();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
