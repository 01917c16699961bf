// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/rank_costs.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/native.hpp"
#include "telemetry/segment/segment_reader.hpp"

namespace airamp::pmpi {
namespace {

/// As it travels.
struct Cost {
  double collective_seconds = 0;
  double waiting_seconds = 0;
  double lateness_seconds = 0;
  double published = 0;
  std::array<char, 64> host{};
};

Cost own_cost() {
  Cost cost;
  if (!publisher().publishes()) return cost;
  const telemetry::RankSnapshot own = own_publication();
  for (const telemetry::RankSnapshot::Traffic& row : own.traffic) cost.collective_seconds += row.seconds;
  for (const telemetry::RankSnapshot::Communicator& communicator : own.communicators) {
    cost.waiting_seconds += communicator.waiting_seconds;
    cost.lateness_seconds += communicator.lateness_seconds;
  }
  std::copy_n(own.host.begin(), std::min(own.host.size(), cost.host.size() - 1), cost.host.begin());
  cost.published = 1;
  return cost;
}

}  // namespace

telemetry::RankSnapshot own_publication() {
  return telemetry::read_segment(publisher().file(), telemetry::Observer::here()).snapshot;
}

std::vector<telemetry::Report::Rank> gather_rank_costs() {
  const Cost own = own_cost();
  std::vector<Cost> all(job().rank == 0 ? static_cast<std::size_t>(job().size) : 0);
  const int error =
      native().MPI_Gather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
  const bool any = std::any_of(all.begin(), all.end(), [](const Cost& cost) { return cost.published != 0; });
  std::vector<telemetry::Report::Rank> ranks;
  if (error != MPI_SUCCESS || !any) return ranks;
  for (const Cost& cost : all) {
    ranks.push_back({.host = cost.host.data(),
                     .collective_seconds = cost.collective_seconds,
                     .waiting_seconds = cost.waiting_seconds,
                     .lateness_seconds = cost.lateness_seconds});
  }
  return ranks;
}

}  // namespace airamp::pmpi
