// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/rank_costs.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "core/collective_kind.hpp"
#include "pmpi/group/job_channel.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/native.hpp"
#include "telemetry/segment/segment_reader.hpp"

namespace airamp::pmpi {
namespace {

/// As it travels.
struct Cost {
  double collective_seconds = 0;
  double message_seconds = std::numeric_limits<double>::quiet_NaN();
  double waiting_seconds = 0;
  double lateness_seconds = 0;
  double published = 0;
  std::array<double, every_kind.size()> calls{};  // by kind
  std::array<double, every_kind.size()> seconds{};
  std::array<char, 64> host{};
  std::array<std::uint64_t, 16> processors{};  // a bit for each that this rank may run on
};

using Processors = decltype(Cost::processors);

/// None where the host has more than a mask has bits.
Processors own_processors() {
  Processors processors{};
  if (sched_getaffinity(0, sizeof processors, reinterpret_cast<cpu_set_t*>(processors.data())) != 0) return {};
  return processors;
}

/// The place of a function, in its plain or its large-count form, in every_kind; its size if it has none.
std::size_t kind_of(std::string_view function) {
  if (function.ends_with("_c")) function.remove_suffix(2);
  const auto kind =
      std::find_if(every_kind.begin(), every_kind.end(), [&](CollectiveKind k) { return to_string(k) == function; });
  return static_cast<std::size_t>(kind - every_kind.begin());
}

Cost own_cost() {
  Cost cost;
  if (!publisher().publishes()) return cost;
  const telemetry::RankSnapshot own = own_publication();
  for (const telemetry::RankSnapshot::Traffic& row : own.traffic) {
    cost.collective_seconds += row.seconds;
    const std::size_t kind = kind_of(row.function);
    if (kind == every_kind.size()) continue;
    cost.calls[kind] += static_cast<double>(row.calls);
    cost.seconds[kind] += row.seconds;
  }
  if (own.times_messages) cost.message_seconds = 0;
  for (const telemetry::RankSnapshot::MessageTime& time : own.message_times) cost.message_seconds += time.seconds;
  for (const telemetry::RankSnapshot::Communicator& communicator : own.communicators) {
    cost.waiting_seconds += communicator.waiting_seconds;
    cost.lateness_seconds += communicator.lateness_seconds;
  }
  std::copy_n(own.host.begin(), std::min(own.host.size(), cost.host.size() - 1), cost.host.begin());
  cost.processors = own_processors();
  cost.published = 1;
  return cost;
}

telemetry::Report::Rank rank_of(const Cost& cost) {
  telemetry::Report::Rank rank{.host = cost.host.data(),
                               .collective_seconds = cost.collective_seconds,
                               .message_seconds = cost.message_seconds,
                               .waiting_seconds = cost.waiting_seconds,
                               .lateness_seconds = cost.lateness_seconds};
  for (std::size_t kind = 0; kind < every_kind.size(); ++kind) {
    if (cost.calls[kind] == 0) continue;
    rank.functions[std::string(to_string(every_kind[kind]))] = {.calls = static_cast<std::uint64_t>(cost.calls[kind]),
                                                                .seconds = cost.seconds[kind]};
  }
  return rank;
}

/// In the order of their names.
std::vector<telemetry::Report::Host> hosts_of(const std::vector<Cost>& costs) {
  struct Ranks {
    int ranks = 0;
    bool known = true;
    Processors processors{};
  };
  std::map<std::string, Ranks> by_name;
  for (const Cost& cost : costs) {
    Ranks& host = by_name[cost.host.data()];
    ++host.ranks;
    host.known = host.known && cost.processors != Processors{};
    for (std::size_t i = 0; i < cost.processors.size(); ++i) host.processors[i] |= cost.processors[i];
  }
  std::vector<telemetry::Report::Host> hosts;
  for (const auto& [name, host] : by_name) {
    int processors = 0;
    for (const std::uint64_t word : host.processors) processors += std::popcount(word);
    hosts.push_back({.name = name, .ranks = host.ranks, .processors = host.known ? processors : 0});
  }
  return hosts;
}

}  // namespace

telemetry::RankSnapshot own_publication() {
  return telemetry::read_segment(publisher().file(), telemetry::Observer::here()).snapshot;
}

RankCosts gather_rank_costs() {
  const Cost own = own_cost();
  std::vector<Cost> all(job().rank == 0 ? static_cast<std::size_t>(job().size) : 0);
  // not on MPI_COMM_WORLD: there a gather of the program's that its root never came to would be taken for this one
  const int error = job_channel().gather(&own, sizeof own, all.data());
  const bool any = std::any_of(all.begin(), all.end(), [](const Cost& cost) { return cost.published != 0; });
  RankCosts costs;
  if (error != MPI_SUCCESS || !any) return costs;
  for (const Cost& cost : all) costs.ranks.push_back(rank_of(cost));
  costs.hosts = hosts_of(all);
  return costs;
}

}  // namespace airamp::pmpi
