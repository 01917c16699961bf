// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "telemetry/openmetrics/sample_set.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// The ranks of one job that are on this host, by rank.
struct JobOnHost {
  std::string name;
  std::vector<const RankSnapshot*> ranks;
};

/// Families with a series per rank, and those about the job as a whole.
void add_rank_samples(const JobOnHost& job, SampleSet& samples);

/// Calls, bytes and times by collective, message size and path, summed over ranks. Returns how many label sets above
/// max_label_sets were folded into "other".
std::size_t add_traffic_samples(const JobOnHost& job, SampleSet& samples);

/// The tuner's decisions. They are agreed, so each is taken from its communicator's rank 0, on whatever host that is.
/// Returns how many label sets above max_label_sets were left out.
std::size_t add_decision_samples(const JobOnHost& job, SampleSet& samples);

/// What PoLA knows of each communicator, as the lowest of its ranks on this host sees it. Returns how many label sets
/// above max_label_sets were left out.
std::size_t add_pola_samples(const JobOnHost& job, SampleSet& samples);

}  // namespace airamp::telemetry
