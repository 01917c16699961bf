// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/telemetry/segment/generated_job.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <random>
#include <string_view>
#include <thread>

#include "core/size_bucket.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::telemetry {
namespace {

constexpr std::array<std::string_view, 5> functions = {"MPI_Allreduce", "MPI_Allgather", "MPI_Bcast", "MPI_Barrier",
                                                       "MPI_Alltoall"};
constexpr std::array<std::string_view, 3> paths = {"native", "mpi-two-shot", "peer-compressed"};

/// One collective of the time step.
struct Call {
  std::size_t communicator;
  std::uint16_t function;
  std::uint64_t bytes;
  std::uint16_t path;
  double microseconds;
};
constexpr std::array<Call, 8> time_step = {{{0, 0, 8, 0, 12},
                                            {0, 0, 1 << 20, 1, 900},
                                            {0, 0, 16 << 20, 2, 5200},
                                            {1, 1, 64 << 10, 1, 210},
                                            {2, 2, 4 << 10, 0, 30},
                                            {1, 0, 256 << 10, 2, 340},
                                            {2, 4, 128 << 10, 0, 480},
                                            {0, 3, 0, 0, 25}}};
constexpr int time_steps = 50;

double measured_ticks_per_microsecond() {
  const ClockReading before = read_clocks(tick_clock_kind());
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const double length = nanoseconds_per_tick(before, read_clocks(tick_clock_kind()));
  return length > 0 ? 1e3 / length : 1e3;
}

void publish_decisions(SegmentWriter& writer, const std::array<CommunicatorSlot, 3>& slots) {
  for (const Call& call : time_step) {
    if (call.path == 0 && call.bytes < 4096) continue;
    const bool accelerated = call.path != 0;
    writer.set_decision(slots[call.communicator], {.function = call.function,
                                                   .size_bucket = static_cast<std::uint8_t>(size_bucket(call.bytes)),
                                                   .path = call.path,
                                                   .element = "float32",
                                                   .op = "sum",
                                                   .state = DecisionState::decided,
                                                   .reason = accelerated ? Reason::fastest : Reason::too_slow,
                                                   .why = accelerated ? "fastest of 3" : "only 1.01x native",
                                                   .speedup = accelerated ? 1.7 : 1.01,
                                                   .relative_error = accelerated ? 0.012 : 0.0,
                                                   .native_seconds = call.microseconds * (accelerated ? 1.7 : 1) * 1e-6,
                                                   .airamp_seconds = call.microseconds * 1e-6});
  }
}

std::string generate_rank(const GeneratedJob& job, int rank, double ticks_per_microsecond) {
  const std::string host = "node" + std::to_string(rank / job.ranks_per_host);
  auto [writer, why_off] = SegmentWriter::open(job.folder, job.job,
                                               {.rank = rank,
                                                .size = job.ranks,
                                                .version = "0.1.0",
                                                .mpi = "Open MPI 4.1.4",
                                                .architecture = "x86_64",
                                                .gpu = "NVIDIA H200",
                                                .program = "generated",
                                                .host = host,
                                                .user = "someone",
                                                .several_threads = false,
                                                .functions = functions,
                                                .paths = paths});
  if (!writer.publishes()) return why_off;
  writer.set_on(true, "");
  const int row = rank / job.ranks_per_host;
  const int column = rank % job.ranks_per_host;
  const int rows = (job.ranks + job.ranks_per_host - 1) / job.ranks_per_host;
  const int in_row = std::min(job.ranks_per_host, job.ranks - row * job.ranks_per_host);
  const int in_column = column < job.ranks - (rows - 1) * job.ranks_per_host ? rows : rows - 1;
  const std::array slots = {
      writer.add_communicator(1, "MPI_COMM_WORLD", job.ranks, rank),
      writer.add_communicator(1000 + static_cast<std::uint64_t>(row), "row", in_row, column),
      writer.add_communicator(2000 + static_cast<std::uint64_t>(column), "column", in_column, row)};
  std::mt19937 random(static_cast<unsigned>(rank));
  std::lognormal_distribution<double> spread(0.0, 0.15);
  const auto ticks = [&](double microseconds) {
    return static_cast<std::uint64_t>(microseconds * ticks_per_microsecond);
  };
  std::uint64_t now = writer.now() - ticks(time_steps * 20e3);
  for (int step = 0; step < time_steps; ++step) {
    now += ticks(5e3);
    for (const Call& call : time_step) {
      const Flight flight = writer.begin(slots[call.communicator], call.function, call.bytes, now);
      now += ticks(call.microseconds * spread(random));
      writer.end(flight, call.path, call.path == 0 ? 0 : call.bytes / 2, now);
    }
  }
  if (job.missing >= 0 && rank != job.missing) {
    const Flight flight = writer.begin(slots[0], 0, 1 << 20, now);
    writer.stage(flight, Stage::exchange);
  }
  publish_decisions(writer, slots);
  for (const CommunicatorSlot slot : slots) {
    writer.set_pola(slot, {.state = PolaState::locked, .period = 4, .events = 200, .hits = 160, .misses = 3});
  }
  const bool late = rank == job.straggler;
  writer.set_waits(slots[0], late ? 1.9 : 0.02 + 0.001 * (rank % 5), late ? 0.05 : 1.7 + 0.001 * (rank % 7));
  writer.add(Counter::agreements, 12);
  writer.add(Counter::tuning_calls, 24);
  writer.add(Counter::tuning_nanoseconds, 81'000'000);
  writer.set(Counter::device_scratch_bytes, 16U << 20);
  writer.add(Counter::ghost_kernel_launches, 40);
  return {};
}

}  // namespace

std::string generate_job(const GeneratedJob& job) {
  const double ticks_per_microsecond = measured_ticks_per_microsecond();
  for (int rank = 0; rank < job.ranks; ++rank) {
    if (std::string error = generate_rank(job, rank, ticks_per_microsecond); !error.empty()) return error;
  }
  return {};
}

}  // namespace airamp::telemetry
