// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "apps/airamp/doctor/memory_modules.hpp"
#include "base/quantity_text.hpp"

namespace airamp::doctor {
namespace {

using base::duration;

std::string decimal(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", number);
  return text.data();
}

std::string gigabytes(double bytes_per_second) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f GB/s", bytes_per_second / 1e9);
  return text.data();
}

int node_of(const std::vector<std::pair<int, std::set<int>>>& nodes, int processor) {
  const auto node =
      std::find_if(nodes.begin(), nodes.end(), [&](const auto& known) { return known.second.contains(processor); });
  return node == nodes.end() ? -1 : node->first;
}

/// A copy and what the link that it takes can carry.
struct Judged {
  probe::GpuCopy copy;
  double possible = 0;  ///< bytes per second; 0: not known
  double ratio() const { return possible > 0 ? copy.bytes_per_second / possible : std::nan(""); }
};

double possible(const probe::Gpus& gpus, const probe::GpuCopy& copy) {
  const auto gpu = [&](int number) { return gpus.gpus[static_cast<std::size_t>(number)]; };
  if (copy.from < 0) return gpu(copy.to).pcie_bytes_per_second;
  if (copy.to < 0) return gpu(copy.from).pcie_bytes_per_second;
  const double nvlink = std::min(gpu(copy.from).nvlink_bytes_per_second, gpu(copy.to).nvlink_bytes_per_second);
  return nvlink > 0 ? nvlink : std::min(gpu(copy.from).pcie_bytes_per_second, gpu(copy.to).pcie_bytes_per_second);
}

std::string name_of(int place) { return place < 0 ? "host" : "GPU " + std::to_string(place); }

/// One finding of all copies of a kind, by the slowest.
void add_copies(const std::string& kind, const std::vector<Judged>& copies, const std::string& advice,
                Findings& findings) {
  if (copies.empty()) return;
  const auto by_speed = [](const Judged& a, const Judged& b) {
    return a.copy.bytes_per_second < b.copy.bytes_per_second;
  };
  const auto [slowest, fastest] = std::minmax_element(copies.begin(), copies.end(), by_speed);
  std::string found = kind + ": " + gigabytes(slowest->copy.bytes_per_second) + " (" + name_of(slowest->copy.from) +
                      " to " + name_of(slowest->copy.to) + ") to " + gigabytes(fastest->copy.bytes_per_second);
  if (!(slowest->possible > 0)) {
    findings.push_back({Verdict::not_known, found + "; what the link can carry is not known", ""});
    return;
  }
  found += "; the slowest is " + decimal(slowest->ratio()) + " of what its link carries";
  // Of a link of PCIe or NVLink copies take 0.8 and more.
  const bool slow = slowest->ratio() < 0.5;
  findings.push_back({slow ? Verdict::worth_knowing : Verdict::good, found, slow ? advice : ""});
}

}  // namespace

Findings check_memory_bandwidth(const Subject& subject) {
  if (!subject.measurements) return {};
  const probe::MemoryBandwidth& memory = subject.measurements->memory;
  if (!memory.trouble.empty()) return {{Verdict::not_known, memory.trouble, ""}};
  const std::string found = gigabytes(memory.all_processors) + " copied by " + std::to_string(memory.processors) +
                            " processors, " + gigabytes(memory.one_processor) + " by one";
  if (memory.processors > 1 && memory.all_processors < memory.one_processor) {
    return {{Verdict::worth_knowing, found + ": all together are slower",
             "Others use this host, or a control group limits processor time: measure on an idle host."}};
  }
  const std::string table = subject.system.bytes("/sys/firmware/dmi/tables/DMI").value_or("");
  const double possible = module_bytes_per_second(table);
  if (possible <= 0) {
    return {{Verdict::not_known, found + "; what the modules can move is not known",
             "Root alone can read it, and virtual machines seldom have it."}};
  }
  // Each byte is read and written.
  const double ratio = 2 * memory.all_processors / possible;
  const std::string judged = found + "; " + decimal(ratio) + " of what the modules can move";
  if (ratio >= 0.4) return {{Verdict::good, judged, ""}};
  return {{Verdict::worth_knowing, judged,
           "Look whether this process may use all processors, and whether every channel has a module."}};
}

Findings check_flag_latency(const Subject& subject) {
  if (!subject.measurements) return {};
  const probe::FlagLatency& flags = subject.measurements->flags;
  if (flags.pairs.empty()) return {{Verdict::not_known, flags.trouble, ""}};
  const auto nodes = subject.system.numa_nodes();
  std::vector<double> within;
  std::vector<double> across;
  for (const probe::FlagPair& pair : flags.pairs) {
    (node_of(nodes, pair.first) == node_of(nodes, pair.second) ? within : across).push_back(pair.seconds);
  }
  const auto described = [](std::vector<double>& seconds, const std::string& where) {
    std::sort(seconds.begin(), seconds.end());
    const std::string least = duration(seconds.front());
    const std::string most = duration(seconds.back());
    return (least == most ? least : least + " to " + most) + where;
  };
  std::string found = within.empty() ? "" : described(within, " within a NUMA node");
  if (!across.empty()) found += (found.empty() ? "" : ", ") + described(across, " between them");
  // On hardware of its own a line goes from one processor to another in 20 to 200 ns, between sockets in up to 500.
  constexpr double slow_within = 1e-6;
  constexpr double slow_across = 2e-6;
  const bool slow =
      (!within.empty() && within.back() > slow_within) || (!across.empty() && across.back() > slow_across);
  if (!slow) return {{Verdict::good, found, ""}};
  return {{Verdict::worth_knowing, found + ": processors are shared with others, or slow to wake",
           "Measure on an idle host; on a virtual machine pin its processors."}};
}

Findings check_gpu_copies(const Subject& subject) {
  if (!subject.measurements || subject.gpus.gpus.empty()) return {};
  const probe::GpuCopies& measured = subject.measurements->gpu_copies;
  if (!measured.trouble.empty()) return {{Verdict::not_known, measured.trouble, ""}};
  std::vector<Judged> peers;
  std::vector<Judged> host;
  const auto known = static_cast<int>(subject.gpus.gpus.size());
  for (const probe::GpuCopy& copy : measured.copies) {
    if (copy.from >= known || copy.to >= known || (copy.from < 0 && copy.to < 0)) continue;
    (copy.from < 0 || copy.to < 0 ? host : peers).push_back({copy, possible(subject.gpus, copy)});
  }
  Findings findings;
  add_copies("between GPUs", peers,
             "nvidia-smi topo -m shows the links; without a switch each pair of GPUs has only some of them.", findings);
  add_copies("with the host", host, "nvidia-smi -q -d PCIE shows the link: does it have all its lanes?", findings);
  return findings;
}

}  // namespace airamp::doctor
