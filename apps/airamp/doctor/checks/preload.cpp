// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "apps/airamp/doctor/checks/checks.hpp"

namespace airamp::doctor {
namespace {

/// The files of LD_PRELOAD, which are separated by colons or blanks.
std::vector<std::string> entries_of(const std::string& list) {
  constexpr const char* separators = ": ";
  std::vector<std::string> entries;
  for (std::size_t begin = list.find_first_not_of(separators); begin != std::string::npos;) {
    const std::size_t end = std::min(list.find_first_of(separators, begin), list.size());
    entries.push_back(list.substr(begin, end - begin));
    begin = list.find_first_not_of(separators, end);
  }
  return entries;
}

bool is_airamp(const std::string& entry) { return entry.substr(entry.rfind('/') + 1).starts_with("libairamp.so"); }

/// Whether a launcher has started the process whose environment this is: then a preload is its ranks' alone.
bool is_rank(const System& system) {
  const std::vector<std::string> names = system.environment.names();
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name == "OMPI_COMM_WORLD_RANK" || name == "PMI_RANK" || name == "PMIX_RANK" || name == "SLURM_PROCID";
  });
}

}  // namespace

Findings check_preload(const Subject& subject) {
  const std::string list = subject.system.variable("LD_PRELOAD");
  if (list.empty()) return {{Verdict::good, "not set", ""}};
  Findings findings;
  const bool ranks_alone = !subject.job.empty() || is_rank(subject.system);
  for (const std::string& entry : entries_of(list)) {
    if (entry.find('/') != std::string::npos && !subject.system.exists(entry)) {
      findings.push_back({Verdict::wrong, entry + " is not there: every program that is started says so",
                          "Remove it from LD_PRELOAD."});
    } else if (ranks_alone) {
      continue;
    } else if (is_airamp(entry)) {
      findings.push_back({Verdict::wrong, "exported with " + entry + ": shells and launchers load it too",
                          "Unset LD_PRELOAD, and start programs by: mpirun -n N airamp exec -- PROGRAM"});
    } else {
      findings.push_back({Verdict::worth_knowing, "exported with " + entry + ": shells and launchers load it too",
                          "Set LD_PRELOAD for the program alone, unless every process needs it."});
    }
  }
  if (findings.empty()) findings.push_back({Verdict::good, "set for the ranks alone: " + list, ""});
  return findings;
}

}  // namespace airamp::doctor
