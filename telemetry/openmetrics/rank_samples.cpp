// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "telemetry/openmetrics/job_samples.hpp"

namespace airamp::telemetry {
namespace {

/// The sum of a figure over a rank's communicators; NaN if none of them has it.
double sum(const RankSnapshot& rank, double RankSnapshot::Communicator::*figure) {
  double total = std::nan("");
  for (const RankSnapshot::Communicator& communicator : rank.communicators) {
    const double value = communicator.*figure;
    if (!std::isnan(value)) total = std::isnan(total) ? value : total + value;
  }
  return total;
}

std::uint64_t sum(const RankSnapshot& rank, std::uint64_t RankSnapshot::Communicator::*figure) {
  std::uint64_t total = 0;
  for (const RankSnapshot::Communicator& communicator : rank.communicators) total += communicator.*figure;
  return total;
}

/// How long the oldest collective has lasted that the rank is still inside of, seconds.
double inside_collective(const RankSnapshot& rank) {
  double longest = 0;
  for (const RankSnapshot::Flight& flight : rank.flights) {
    if (flight.left_seconds == 0) longest = std::max(longest, rank.now_seconds - flight.entered_seconds);
  }
  return longest;
}

/// The Slurm job that a job's name speaks of ("slurm-4711-..."); empty if none.
std::string_view slurm_job_id(std::string_view name) {
  constexpr std::string_view prefix = "slurm-";
  if (!name.starts_with(prefix)) return {};
  name.remove_prefix(prefix.size());
  return name.substr(0, name.find_first_not_of("0123456789"));
}

void add_rank(const JobOnHost& job, const RankSnapshot& rank, SampleSet& samples) {
  const std::string number = fmt::format_int(rank.rank).str();
  const Labels labels{{"mpi_job", job.name}, {"rank", number}};
  Labels with_host = labels;
  with_host.add("host", rank.host);
  samples.add(Metric::status, with_host, std::uint64_t{rank.on});
  if (rank.observable) samples.add(Metric::rank_alive, with_host, std::uint64_t{rank.alive});
  samples.add(Metric::rank_finalized, with_host, std::uint64_t{rank.finalized});
  // A dead process stays inside of its last collective for ever; that it is dead is said above, or cannot be known.
  if (rank.runs()) samples.add(Metric::inside_collective, labels, inside_collective(rank));
  samples.add(Metric::waiting, labels, sum(rank, &RankSnapshot::Communicator::waiting_seconds));
  samples.add(Metric::lateness, labels, sum(rank, &RankSnapshot::Communicator::lateness_seconds));
  samples.add(Metric::agreements, labels, rank.agreements);
  samples.add(Metric::tuning_calls, labels, rank.tuning_calls);
  samples.add(Metric::tuning, labels, rank.tuning_seconds);
  for (const auto& [result, figure] : {std::pair{"hit", &RankSnapshot::Communicator::pola_hits},
                                       std::pair{"miss", &RankSnapshot::Communicator::pola_misses}}) {
    Labels with_result = labels;
    with_result.add("result", result);
    samples.add(Metric::pola_predictions, with_result, sum(rank, figure));
  }
  samples.add(Metric::device_scratch, labels, rank.device_scratch_bytes);
  samples.add(Metric::ghost_kernel_launches, labels, rank.ghost_kernel_launches);
  samples.add(Metric::figures_dropped, labels, rank.dropped);
}

}  // namespace

void add_rank_samples(const JobOnHost& job, SampleSet& samples) {
  std::set<std::string> infos;
  int size = 0;
  double start = std::nan("");
  for (const RankSnapshot* rank : job.ranks) {
    add_rank(job, *rank, samples);
    Labels info{{"mpi_job", job.name}, {"version", rank->version},
                {"mpi", rank->mpi},    {"architecture", rank->architecture},
                {"gpu", rank->gpu},    {"program", rank->program}};
    if (!slurm_job_id(job.name).empty()) info.add("slurm_job_id", slurm_job_id(job.name));
    if (infos.insert(info.text()).second) samples.add(Metric::info, info, std::uint64_t{1});
    size = std::max(size, rank->size);
    start = std::fmin(start, rank->started_seconds);
  }
  samples.add(Metric::job_ranks, {{"mpi_job", job.name}}, static_cast<std::uint64_t>(size));
  samples.add(Metric::job_start_time, {{"mpi_job", job.name}}, start);
}

}  // namespace airamp::telemetry
