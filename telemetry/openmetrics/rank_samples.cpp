// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "telemetry/openmetrics/job_samples.hpp"

namespace airamp::telemetry {
namespace {

constexpr std::size_t max_late_ranks = 4;  ///< with Detail::job

/// The sum of two figures; one that was not measured adds nothing.
double sum(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : a + b; }

/// Over a rank's communicators; NaN if none of them has the figure.
double sum(const RankSnapshot& rank, double RankSnapshot::Communicator::*figure) {
  double total = std::nan("");
  for (const RankSnapshot::Communicator& communicator : rank.communicators) total = sum(total, communicator.*figure);
  return total;
}

std::uint64_t sum(const RankSnapshot& rank, std::uint64_t RankSnapshot::Communicator::*figure) {
  std::uint64_t total = 0;
  for (const RankSnapshot::Communicator& communicator : rank.communicators) total += communicator.*figure;
  return total;
}

double lateness(const RankSnapshot& rank) { return sum(rank, &RankSnapshot::Communicator::lateness_seconds); }

/// How long the oldest collective has lasted that the rank is still inside of, seconds; NaN if the rank does not run. A
/// dead process stays inside of its last collective for ever.
double inside_collective(const RankSnapshot& rank) {
  if (!rank.runs()) return std::nan("");
  double longest = 0;
  for (const RankSnapshot::Flight& flight : rank.flights) {
    if (flight.left_seconds == 0) longest = std::max(longest, rank.now_seconds - flight.entered_seconds);
  }
  return longest;
}

/// What is shown of one rank or of all of them together.
struct Figures {
  double inside = std::nan("");
  double waiting = std::nan("");
  double tuning = 0;
  std::uint64_t agreements = 0;
  std::uint64_t tuning_calls = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t scratch = 0;
  std::uint64_t launches = 0;
  std::uint64_t dropped = 0;

  void add(const RankSnapshot& rank) {
    inside = std::fmax(inside, inside_collective(rank));
    waiting = sum(waiting, sum(rank, &RankSnapshot::Communicator::waiting_seconds));
    tuning += rank.tuning_seconds;
    agreements += rank.agreements;
    tuning_calls += rank.tuning_calls;
    hits += sum(rank, &RankSnapshot::Communicator::pola_hits);
    misses += sum(rank, &RankSnapshot::Communicator::pola_misses);
    scratch += rank.device_scratch_bytes;
    launches += rank.ghost_kernel_launches;
    dropped += rank.dropped;
  }
};

void add_figures(const Labels& labels, const Figures& figures, SampleSet& samples) {
  samples.add(Metric::inside_collective, labels, figures.inside);
  samples.add(Metric::waiting, labels, figures.waiting);
  samples.add(Metric::agreements, labels, figures.agreements);
  samples.add(Metric::tuning_calls, labels, figures.tuning_calls);
  samples.add(Metric::tuning, labels, figures.tuning);
  for (const auto& [result, count] : {std::pair{"hit", figures.hits}, std::pair{"miss", figures.misses}}) {
    samples.add(Metric::pola_predictions, Labels(labels).add("result", result), count);
  }
  samples.add(Metric::device_scratch, labels, figures.scratch);
  samples.add(Metric::ghost_kernel_launches, labels, figures.launches);
  samples.add(Metric::figures_dropped, labels, figures.dropped);
}

Labels rank_labels(const JobOnHost& job, const RankSnapshot& rank) {
  return job_labels(job).add("rank", fmt::format_int(rank.rank).c_str());
}

/// Whether the process is there, and what it has said of itself.
void add_presence(const JobOnHost& job, const RankSnapshot& rank, SampleSet& samples) {
  const Labels labels = rank_labels(job, rank).add("host", rank.host);
  samples.add(Metric::status, labels, std::uint64_t{rank.on});
  if (rank.observable) samples.add(Metric::rank_alive, labels, std::uint64_t{rank.alive});
  samples.add(Metric::rank_finalized, labels, std::uint64_t{rank.finalized});
}

/// The median, which grows as the ranks' own figures do, and those that stand out: all of them with Detail::all.
void add_lateness(const JobOnHost& job, Detail detail, SampleSet& samples) {
  std::vector<const RankSnapshot*> known;
  std::ranges::copy_if(job.ranks, std::back_inserter(known),
                       [](const RankSnapshot* rank) { return !std::isnan(lateness(*rank)); });
  if (known.empty()) return;
  std::ranges::stable_sort(known, {}, [](const RankSnapshot* rank) { return lateness(*rank); });
  // Of two ranks the smaller figure: the other one may stand out.
  const double median = lateness(*known[(known.size() - 1) / 2]);
  samples.add(Metric::lateness_median, job_labels(job), median);
  if (detail == Detail::job) {
    std::erase_if(known, [&](const RankSnapshot* rank) { return lateness(*rank) <= 2 * median; });
    if (known.size() > max_late_ranks) known.erase(known.begin(), known.end() - max_late_ranks);
  }
  std::ranges::sort(known, {}, &RankSnapshot::rank);
  for (const RankSnapshot* rank : known) samples.add(Metric::lateness, rank_labels(job, *rank), lateness(*rank));
}

}  // namespace

void add_rank_samples(const JobOnHost& job, Detail detail, SampleSet& samples) {
  Figures together;
  for (const RankSnapshot* rank : job.ranks) {
    together.add(*rank);
    if (detail == Detail::job) continue;
    add_presence(job, *rank, samples);
    Figures own;
    own.add(*rank);
    add_figures(rank_labels(job, *rank), own, samples);
  }
  if (detail == Detail::job) add_figures(job_labels(job), together, samples);
  add_lateness(job, detail, samples);
}

}  // namespace airamp::telemetry
