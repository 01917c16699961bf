// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "apps/airamp/doctor/counted.hpp"
#include "apps/airamp/number_list.hpp"

namespace airamp::doctor {
namespace {

using command_line::number_list;
using command_line::parse_number_list;
using telemetry::RankSnapshot;
using Ranks = std::set<int>;

const std::string how_to_bind =
    "Bind ranks: mpirun --bind-to core --map-by numa (Open MPI), mpiexec -bind-to core (MPICH), srun --cpu-bind=cores.";

std::string named(const Ranks& ranks) { return (ranks.size() == 1 ? "rank " : "ranks ") + number_list(ranks); }

bool meet(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int number) { return b.contains(number); });
}

void add_those_off(const std::vector<RankSnapshot>& job, Findings& findings) {
  std::map<std::string, Ranks> off;
  for (const RankSnapshot& rank : job) {
    if (!rank.on) off[rank.why_off].insert(rank.rank);
  }
  for (const auto& [why, ranks] : off) {
    findings.push_back({Verdict::wrong, "AIRamp is off in " + named(ranks) + (why.empty() ? std::string() : ": " + why),
                        "Mend what is said there; AIRAMP_LOG_LEVEL=info says more at the start of the job."});
  }
}

/// Ranks that are bound to the same processors, and are more than these. Where all ranks have the same,
/// check_processors says it.
void add_crowds(const std::map<std::set<int>, Ranks>& bound, Findings& findings) {
  if (bound.size() == 1) return;
  for (const auto& [processors, ranks] : bound) {
    if (processors.empty() || ranks.size() <= processors.size()) continue;
    findings.push_back({Verdict::wrong,
                        named(ranks) + " are bound to " + (processors.size() == 1 ? "processor " : "processors ") +
                            number_list(processors) + " together",
                        how_to_bind});
  }
}

void add_those_astride(const System& system, const std::map<std::set<int>, Ranks>& bound, Findings& findings) {
  const auto nodes = system.numa_nodes();
  Ranks astride;
  for (const auto& [processors, ranks] : bound) {
    const auto met = std::count_if(nodes.begin(), nodes.end(),
                                   [&own = processors](const auto& node) { return meet(node.second, own); });
    if (met > 1) astride.insert(ranks.begin(), ranks.end());
  }
  if (astride.empty()) return;
  findings.push_back(
      {Verdict::worth_knowing, named(astride) + " may run on several NUMA nodes, away from their memory", how_to_bind});
}

/// Ranks none of whose processors is near a GPU that they use.
void add_those_far(const Subject& subject, Findings& findings) {
  for (const probe::Gpu& gpu : subject.gpus.gpus) {
    const auto near = std::find_if(subject.topology.gpus.begin(), subject.topology.gpus.end(),
                                   [&](const probe::NearGpu& known) { return known.address == gpu.address; });
    if (near == subject.topology.gpus.end()) continue;
    Ranks far;
    for (const RankSnapshot& rank : subject.job) {
      const bool uses = std::find(gpu.processes.begin(), gpu.processes.end(), rank.process) != gpu.processes.end();
      const std::set<int> processors = subject.system.processors_of(std::to_string(rank.process));
      if (uses && !processors.empty() && !meet(processors, parse_number_list(near->cpus))) far.insert(rank.rank);
    }
    if (far.empty()) continue;
    findings.push_back({Verdict::wrong,
                        named(far) + (far.size() == 1 ? " runs" : " run") + " far from GPU " + gpu.address +
                            ", which processors " + near->cpus + " are nearest to",
                        "Bind them to these processors, or give them another GPU (CUDA_VISIBLE_DEVICES)."});
  }
}

}  // namespace

Findings check_ranks(const Subject& subject) {
  if (subject.job.empty()) return {};
  std::map<std::set<int>, Ranks> bound;
  for (const RankSnapshot& rank : subject.job) {
    bound[subject.system.processors_of(std::to_string(rank.process))].insert(rank.rank);
  }
  Findings findings;
  add_those_off(subject.job, findings);
  add_crowds(bound, findings);
  add_those_astride(subject.system, bound, findings);
  add_those_far(subject, findings);
  if (findings.empty()) {
    findings.push_back({Verdict::good,
                        "AIRamp is on in " + counted(subject.job.size(), "rank", "ranks") +
                            " here, and none is bound to the wrong processors",
                        ""});
  }
  return findings;
}

}  // namespace airamp::doctor
