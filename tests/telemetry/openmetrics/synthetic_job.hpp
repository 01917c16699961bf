// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// A rank with nothing in it but who it is: on and alive, in a job of `size` ranks.
RankSnapshot make_rank(const std::string& job, int rank, int size);

/// A job as a simulation with a few kinds of collectives leaves it; every metric has a sample. Its last rank is late,
/// and the others wait for it inside of a collective. The same arguments give the same job.
std::vector<RankSnapshot> make_job(const std::string& name, int size);

}  // namespace airamp::telemetry
