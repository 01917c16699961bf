// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "telemetry/diagnosis/jobs_on_host.hpp"
#include "telemetry/openmetrics/detail.hpp"
#include "telemetry/openmetrics/labels.hpp"
#include "telemetry/openmetrics/sample_set.hpp"

namespace airamp::telemetry {

// What one job adds to a scrape. What returns a number returns how many label sets were above the limit of their
// family: folded into "other", or left out where a sum would mean nothing.

/// `mpi_job`, and `user` if the job's owner is known.
Labels job_labels(const JobOnHost& job);

/// Families about the job as a whole.
void add_job_samples(const JobOnHost& job, Detail detail, SampleSet& samples);

/// What ranks have by themselves: a series for each, or their sum.
void add_rank_samples(const JobOnHost& job, Detail detail, SampleSet& samples);

/// Calls, bytes and times, summed over ranks.
std::size_t add_traffic_samples(const JobOnHost& job, Detail detail, SampleSet& samples);

/// Time in calls that wait for messages or requests, summed over the ranks in which it is taken.
void add_message_samples(const JobOnHost& job, Detail detail, SampleSet& samples);

/// The tuner's decisions. They are agreed, so each is taken from its communicator's rank 0, on whatever host that is.
std::size_t add_decision_samples(const JobOnHost& job, Detail detail, SampleSet& samples);

/// What PoLA knows of each communicator, as the lowest of its ranks on this host sees it.
std::size_t add_pola_samples(const JobOnHost& job, Detail detail, SampleSet& samples);

}  // namespace airamp::telemetry
