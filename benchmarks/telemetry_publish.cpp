// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// telemetry_publish: what publishing adds to one collective, in nanoseconds, and how long a job of 256 ranks takes to
// read. Look at the medians of the CPU times; "nothing" is the loop alone, and "clock" what "with_clock" has in
// addition.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

#include "telemetry/segment/segment_reader.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"
#include "tests/telemetry/segment/generated_job.hpp"

namespace {

using airamp::telemetry::CommunicatorSlot;
using airamp::telemetry::Flight;
using airamp::telemetry::SegmentWriter;

constexpr std::array<std::string_view, 2> functions = {"MPI_Allreduce", "MPI_Bcast"};
constexpr std::array<std::string_view, 2> paths = {"native", "mpi-two-shot"};
constexpr int read_ranks = 256;

const std::string folder = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";

std::string job_name(const std::string& what) { return "benchmark-" + what + "-" + std::to_string(getpid()); }

/// A writer with one communicator for each of so many threads.
struct Published {
  SegmentWriter writer;
  std::array<CommunicatorSlot, 4> slots;

  explicit Published(bool several_threads) {
    auto opened =
        SegmentWriter::open(folder, job_name(several_threads ? "threads" : "thread"),
                            {.size = 4, .several_threads = several_threads, .functions = functions, .paths = paths});
    if (!opened.why_off.empty()) {
      std::cerr << "telemetry_publish: " << opened.why_off << '\n';
      std::exit(1);
    }
    writer = std::move(opened.writer);
    for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = writer.add_communicator(i + 1, "own", 4, 0);
  }
};

void nothing(benchmark::State& state) {
  std::uint64_t bytes = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++bytes);
}

void read_the_clock_twice(benchmark::State& state, const SegmentWriter& writer) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(writer.now());
    benchmark::DoNotOptimize(writer.now());
  }
}

/// Sizes go round so that the table is looked up and not one line of it.
void publish(benchmark::State& state, Published& published) {
  SegmentWriter& writer = published.writer;
  const CommunicatorSlot slot = published.slots[static_cast<std::size_t>(state.thread_index())];
  std::uint64_t call = 0;
  std::uint64_t now = writer.now();
  for (auto _ : state) {
    const Flight flight = writer.begin(slot, 0, std::uint64_t{8} << (call++ % 8), now += 1000);
    writer.end(flight, 1, 100, now += 5000);
  }
}

void publish_with_clock(benchmark::State& state, Published& published) {
  SegmentWriter& writer = published.writer;
  const CommunicatorSlot slot = published.slots[static_cast<std::size_t>(state.thread_index())];
  std::uint64_t call = 0;
  for (auto _ : state) {
    const Flight flight = writer.begin(slot, 0, std::uint64_t{8} << (call++ % 8), writer.now());
    writer.end(flight, 1, 100, writer.now());
  }
}

void read_job(benchmark::State& state, const std::string& job) {
  for (auto _ : state) {
    if (airamp::telemetry::read_job(folder, job).ranks.size() != read_ranks) {
      state.SkipWithError("not all ranks were read");
      return;
    }
  }
}

void register_benchmark(const std::string& name, auto function, int threads = 1) {
  benchmark::RegisterBenchmark(name.c_str(), function)
      ->Threads(threads)
      ->Repetitions(5)
      ->ReportAggregatesOnly(true)
      ->MinTime(0.1);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  Published one(false);
  Published several(true);
  register_benchmark("nothing", nothing);
  register_benchmark("clock", [&](benchmark::State& state) { read_the_clock_twice(state, one.writer); });
  register_benchmark("publish/one_thread", [&](benchmark::State& state) { publish(state, one); });
  register_benchmark("publish/one_thread/with_clock", [&](benchmark::State& state) { publish_with_clock(state, one); });
  for (int threads : {1, 4}) {
    register_benchmark(
        "publish/several_threads", [&](benchmark::State& state) { publish(state, several); }, threads);
    register_benchmark(
        "publish/several_threads/with_clock", [&](benchmark::State& state) { publish_with_clock(state, several); },
        threads);
  }
  airamp::telemetry::GeneratedJob job{.folder = folder, .job = job_name("read"), .ranks = read_ranks};
  if (const std::string error = airamp::telemetry::generate_job(job); !error.empty()) {
    std::cerr << "telemetry_publish: " << error << '\n';
    return 1;
  }
  register_benchmark("read/256_ranks", [&](benchmark::State& state) { read_job(state, job.job); });
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  for (const char* what : {"thread", "threads", "read"}) {
    std::filesystem::remove_all(folder + "/airamp-" + std::to_string(geteuid()) + "/" + job_name(what));
  }
  return 0;
}
