// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Times the allreduce over peer memory without MPI: one process for each GPU (or as many as the first argument says),
// which meet in shared memory before every call. Prints medians of the slowest rank's time from before the launch until
// the completion is seen, in microseconds.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu/peer/geometry.hpp"
#include "tests/gpu/cuda/cuda_device.hpp"
#include "tests/gpu/cuda/rank_processes.hpp"

namespace airamp::gpu::test {
namespace {

constexpr std::size_t region_bytes = std::size_t{18} << 20;
constexpr std::size_t largest_message = std::size_t{1} << 30;
constexpr std::size_t largest_one_shot = 256u << 10;

/// What is timed: a column of the table.
struct Column {
  const char* name;
  PeerCollective collective;
};

std::vector<Column> columns() {
  return {
      {"mxfp8-e4m3 float16", {.wire = WireFormat::mxfp8_e4m3, .type = DataType::float16}},
      {"lossless float16", {.type = DataType::float16}},
      {"lossless float32", {.type = DataType::float32}},
      {"one-shot float16", {.shots = Shots::one, .type = DataType::float16}},
      {"allgather float16", {.pattern = Pattern::allgather, .type = DataType::float16}},
      {"fp8 allgather", {.pattern = Pattern::allgather, .wire = WireFormat::mxfp8_e4m3, .type = DataType::float16}}};
}

double timed_call(const Rank& rank, const OpenedDevice& opened, const PeerCollective& collective) {
  Error error;
  rank.meet();
  const auto begin = std::chrono::steady_clock::now();
  check(OpenedDevice::backend().launch(opened.queue(), collective, error), error);
  Progress progress = Progress::running;
  while (progress == Progress::running) progress = OpenedDevice::backend().progress(opened.queue(), error);
  check(progress == Progress::done, error);
  rank.state().numbers[rank.rank()] =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  rank.meet();
  const double slowest = *std::max_element(rank.state().numbers, rank.state().numbers + rank.size());
  rank.meet();
  return slowest;
}

double median_time(const Rank& rank, const OpenedDevice& opened, const PeerCollective& collective, int calls) {
  std::vector<double> times;
  for (int call = -5; call < calls; ++call) {
    const double time = timed_call(rank, opened, collective);
    if (call >= 0) times.push_back(time);
  }
  std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
  return times[static_cast<std::size_t>(calls / 2)];
}

/// `bytes`: of the vector, for allgather of the result.
PeerCollective sized(PeerCollective c, const Rank& rank, const OpenedDevice& opened, std::size_t bytes) {
  c.size = rank.size();
  c.multiprocessors = OpenedDevice::backend().multiprocessors(opened.device());
  c.rank = rank.rank();
  c.elements = bytes / size_of(c.type);
  const std::uint64_t share = c.elements / static_cast<std::uint64_t>(c.size);
  for (int r = 0; r < c.size; ++r)
    c.blocks[static_cast<std::size_t>(r)] = {share * static_cast<std::uint64_t>(r), share};
  return c;
}

void measure(const Rank& rank) {
  const OpenedDevice opened(rank.rank() % count_gpus());
  const Regions regions(rank, opened.device(), region_bytes);
  const DeviceMemory input(largest_message);
  const DeviceMemory output(largest_message);
  check(cudaMemset(input.data(), 0x3c, largest_message));
  check(cudaDeviceSynchronize());
  if (rank.rank() == 0) {
    std::printf("%d ranks, microseconds\n%10s", rank.size(), "bytes");
    for (const Column& column : columns()) std::printf(" | %18s", column.name);
    std::printf("\n");
  }
  for (std::size_t bytes = 8; bytes <= largest_message; bytes *= bytes < 1024 ? 1024 : bytes < (1u << 20) ? 8 : 4) {
    if (rank.rank() == 0) std::printf("%10zu", bytes);
    for (const Column& column : columns()) {
      PeerCollective c = sized(column.collective, rank, opened, bytes);
      c.input = input.data();
      c.output = output.data();
      for (int r = 0; r < rank.size(); ++r) c.region[static_cast<std::size_t>(r)] = regions[r];
      c.region_bytes = region_bytes;
      const bool fits = c.shots == Shots::two ||
                        (bytes <= largest_one_shot && one_shot_region_bytes(bytes, rank.size()) <= region_bytes);
      const int calls = bytes > (64u << 20) ? 15 : bytes > (4u << 20) ? 31 : 101;
      const double time = fits ? median_time(rank, opened, c, calls) : 0;
      if (rank.rank() == 0) fits ? std::printf(" | %18.1f", time) : std::printf(" | %18s", "-");
    }
    if (rank.rank() == 0) std::printf("\n");
  }
  rank.meet();
}

}  // namespace
}  // namespace airamp::gpu::test

int main(int argument_count, char** arguments) {
  using namespace airamp::gpu::test;
  const int gpus = count_gpus_elsewhere();
  if (gpus == 0) {
    std::fprintf(stderr, "there is no GPU here\n");
    return 1;
  }
  const int ranks = argument_count > 1 ? std::atoi(arguments[1]) : gpus;
  const std::string failure = run_ranks(ranks, 300, measure);
  if (failure.empty()) return 0;
  std::fprintf(stderr, "%s\n", failure.c_str());
  return 1;
}
