// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "telemetry/report.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::pmpi {

/// What this rank has published so far; empty if nothing is. May throw std::bad_alloc.
telemetry::RankSnapshot own_publication();

/// What all ranks tell rank 0 for the report.
struct RankCosts {
  std::vector<telemetry::Report::Rank> ranks;
  std::vector<telemetry::Report::Host> hosts;
};

/// What every rank spent on collectives, on rank 0; empty there if nothing was published. Collective over
/// MPI_COMM_WORLD. May throw std::bad_alloc.
RankCosts gather_rank_costs();

}  // namespace airamp::pmpi
