// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdio>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "apps/airamp/doctor/control_group.hpp"
#include "apps/airamp/doctor/counted.hpp"
#include "apps/airamp/number_list.hpp"
#include "base/quantity_text.hpp"

namespace airamp::doctor {
namespace {

/// Memory that a rank needs at least: what AIRamp may hold (the setting host_scratch) and as much again for the
/// program.
constexpr std::uint64_t least_bytes_of_rank = std::uint64_t{256} << 20U;

std::string decimal(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", number);
  return text.data();
}

/// All processors that some rank may use.
std::set<int> processors_of_ranks(const Subject& subject) {
  if (subject.job.empty()) return subject.system.processors_of(subject.process);
  std::set<int> all;
  for (const telemetry::RankSnapshot& rank : subject.job) {
    all.merge(subject.system.processors_of(std::to_string(rank.process)));
  }
  return all;
}

}  // namespace

Findings check_processors(const Subject& subject) {
  const std::set<int> processors = processors_of_ranks(subject);
  if (processors.empty()) return {{Verdict::not_known, "/proc does not say which processors may be used", ""}};
  Findings findings;
  const auto ranks = static_cast<std::size_t>(subject.ranks.number);
  if (ranks > processors.size()) {
    findings.push_back({Verdict::wrong,
                        counted(ranks, "rank", "ranks") + " on " +
                            counted(processors.size(), "processor", "processors") + " (" +
                            command_line::number_list(processors) + "): ranks that wait keep others from running",
                        "Start fewer ranks, or give the job more processors (a container's or Slurm's settings)."});
  }
  const auto quota = group_limits(subject.system, subject.process).processors;
  if (quota && *quota < static_cast<double>(ranks)) {
    findings.push_back(
        {Verdict::wrong,
         "the control group allows the time of " + decimal(*quota) + " processors, for " +
             counted(ranks, "rank", "ranks") + ": all are stopped together when it is used up",
         "Raise the limit of processor time to the number of ranks (cpu.max; of Kubernetes limits.cpu)."});
  }
  if (findings.empty()) {
    findings.push_back({Verdict::good,
                        (subject.ranks.known ? counted(ranks, "rank", "ranks") + " on " : std::string()) +
                            counted(processors.size(), "processor", "processors") + " (" +
                            command_line::number_list(processors) + ")",
                        ""});
  }
  return findings;
}

Findings check_memory_limit(const Subject& subject) {
  const auto limit = group_limits(subject.system, subject.process).memory;
  if (!limit) return {{Verdict::good, "the control group sets none", ""}};
  const std::uint64_t each = *limit / static_cast<std::uint64_t>(subject.ranks.number);
  const std::string found = base::byte_size(*limit) + " for the control group, " + base::byte_size(each) +
                            " for each of " + counted(static_cast<std::size_t>(subject.ranks.number), "rank", "ranks");
  if (each >= least_bytes_of_rank) return {{Verdict::good, found, ""}};
  return {{Verdict::worth_knowing, found + ": AIRamp takes less memory, and does more natively",
           "Raise the limit of memory (memory.max; of Kubernetes limits.memory; of Slurm --mem)."}};
}

}  // namespace airamp::doctor
