// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/telemetry/openmetrics/synthetic_job.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "core/explanation.hpp"

namespace airamp::telemetry {
namespace {

constexpr double epoch = 1.8e9;  // seconds

struct Kind {
  std::size_t communicator;
  std::string_view function;
  std::uint64_t size;
  std::string_view element;
  std::string_view op;
  std::string_view path;
  std::uint64_t calls;
  double seconds;  ///< per call
  double speedup;
  double relative_error;
};

constexpr std::array kinds{
    Kind{0, "MPI_Allreduce", 16U << 20U, "float16", "sum", "mpi-two-shot", 4000, 2.1e-3, 1.82, 0.021},
    Kind{0, "MPI_Allreduce", 1U << 20U, "float32", "sum", "peer-two-shot", 12000, 1.4e-4, 2.06, 3e-8},
    Kind{0, "MPI_Allreduce", 8, "float64", "max", "native", 48000, 9e-6, std::numeric_limits<double>::quiet_NaN(),
         std::numeric_limits<double>::quiet_NaN()},
    Kind{1, "MPI_Allgather", 4U << 20U, "bfloat16", "", "native", 2000, 1.1e-3, 0.97, 0.018},
    Kind{1, "MPI_Bcast", 64U << 10U, "float32", "", "native", 6000, 6e-5, std::numeric_limits<double>::quiet_NaN(),
         std::numeric_limits<double>::quiet_NaN()}};

std::size_t bucket_of(double seconds) {
  std::size_t bucket = 0;
  while (bucket + 1 < latency_buckets && seconds > latency_bound(bucket)) ++bucket;
  return bucket;
}

RankSnapshot::Traffic traffic_of(const Kind& kind) {
  RankSnapshot::Traffic traffic{.communicator = kind.communicator,
                                .function = std::string(kind.function),
                                .size = kind.size,
                                .path = std::string(kind.path),
                                .calls = kind.calls,
                                .bytes = kind.calls * (kind.size + kind.size / 4),
                                .wire_bytes = kind.path == "native" ? 0 : kind.calls * kind.size / 2,
                                .seconds = static_cast<double>(kind.calls) * kind.seconds};
  const std::size_t bucket = bucket_of(kind.seconds);
  traffic.histogram.at(bucket) = kind.calls - kind.calls / 50;
  traffic.histogram.at(bucket + 2) = kind.calls / 50;
  return traffic;
}

RankSnapshot::Decision decision_of(const Kind& kind) {
  const bool measured = !std::isnan(kind.speedup);
  const Explanation why = !measured ? Explanation{.reason = Reason::below_min_bytes}
                          : kind.path == "native"
                              ? Explanation{.reason = Reason::too_slow, .measured = kind.speedup, .bound = 1.05}
                              : Explanation{.reason = Reason::fastest, .measured = kind.speedup};
  const double native = kind.path == "native" ? kind.seconds : kind.seconds * kind.speedup;
  return {.communicator = kind.communicator,
          .function = std::string(kind.function),
          .size = kind.size,
          .element = std::string(kind.element),
          .op = std::string(kind.op),
          .path = std::string(kind.path),
          .state = measured ? DecisionState::decided : DecisionState::not_eligible,
          .reason = why.reason,
          .why = to_text(why),
          .speedup = kind.speedup,
          .relative_error = kind.relative_error,
          .native_seconds = native,
          .airamp_seconds = measured ? native / kind.speedup : std::nan("")};
}

}  // namespace

RankSnapshot make_rank(const std::string& job, int rank, int size) {
  return {.job = job,
          .host = "node" + std::to_string(1 + rank / 8),
          .user = "alice",
          .rank = rank,
          .size = size,
          .process = 1000 + static_cast<std::uint64_t>(rank),
          .process_start = 5000,
          .alive = true,
          .version = "0.1.0",
          .mpi = "Open MPI 4.1.4",
          .architecture = "x86_64",
          .gpu = "NVIDIA H100",
          .program = "lmp",
          .on = true,
          .started_seconds = epoch,
          .now_seconds = epoch + 3600,
          .observable = true};
}

std::vector<RankSnapshot> make_job(const std::string& name, int size) {
  std::vector<RankSnapshot> ranks;
  for (int number = 0; number < size; ++number) {
    const bool late = number == size - 1;
    RankSnapshot rank = make_rank(name, number, size);
    rank.communicators = {{.key = 1,
                           .name = "MPI_COMM_WORLD",
                           .size = size,
                           .rank = number,
                           .collectives = 64000,
                           .pola_state = "locked",
                           .pola_period = 16,
                           .pola_events = 64000,
                           .pola_hits = 63200,
                           .pola_misses = 48,
                           .lateness_seconds = late ? 38.5 : 0.4,
                           .waiting_seconds = late ? 0.3 : 36.0 + number % 5},
                          {.key = 2,
                           .name = "rows",
                           .size = size,
                           .rank = number,
                           .collectives = 8000,
                           .pola_state = "learning",
                           .pola_events = 8000,
                           .pola_hits = 0,
                           .pola_misses = 0,
                           .lateness_seconds = 0.2,
                           .waiting_seconds = 1.5}};
    for (const Kind& kind : kinds) {
      rank.traffic.push_back(traffic_of(kind));
      rank.decisions.push_back(decision_of(kind));
    }
    rank.flights = {{.sequence = 63999,
                     .function = "MPI_Allreduce",
                     .bytes = 20 << 20,
                     .path = "mpi-two-shot",
                     .stage = "done",
                     .entered_seconds = epoch + 3590,
                     .left_seconds = epoch + 3590.002},
                    {.sequence = 64000,
                     .function = "MPI_Allreduce",
                     .bytes = 20 << 20,
                     .path = "mpi-two-shot",
                     .stage = late ? "done" : "exchange",
                     .entered_seconds = epoch + 3597.5,
                     .left_seconds = late ? epoch + 3597.6 : 0}};
    rank.times_messages = true;
    rank.message_times = {{.function = "MPI_Waitall", .seconds = late ? 30.0 : 240.0}};
    rank.agreements = 24;
    rank.tuning_calls = 36;
    rank.tuning_seconds = 0.31;
    rank.device_scratch_bytes = 12U << 20U;
    rank.ghost_kernel_launches = 51000;
    ranks.push_back(rank);
  }
  return ranks;
}

}  // namespace airamp::telemetry
