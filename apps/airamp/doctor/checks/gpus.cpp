// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "apps/airamp/doctor/counted.hpp"
#include "apps/airamp/doctor/pci_devices.hpp"

namespace airamp::doctor {
namespace {

using probe::ComputeMode;

bool has_mode(const probe::Gpus& gpus, ComputeMode mode) {
  return std::any_of(gpus.gpus.begin(), gpus.gpus.end(),
                     [mode](const probe::Gpu& gpu) { return gpu.compute_mode == static_cast<int>(mode); });
}

/// "2 NVIDIA H100 80GB HBM3", or of several kinds their number alone.
std::string described(const probe::Gpus& gpus) {
  std::set<std::string> names;
  for (const probe::Gpu& gpu : gpus.gpus) names.insert(gpu.name);
  const std::string what = names.size() == 1 ? *names.begin() : "GPUs of " + std::to_string(names.size()) + " kinds";
  return std::to_string(gpus.gpus.size()) + " " + what + ", driver " + gpus.driver;
}

void add_nvidia(const Subject& subject, std::size_t on_the_bus, Findings& findings) {
  const probe::Gpus& gpus = subject.gpus;
  if (!subject.system.exists("/dev/nvidiactl")) {
    findings.push_back({Verdict::wrong,
                        counted(on_the_bus, "NVIDIA GPU", "NVIDIA GPUs") + " on the bus, but no /dev/nvidiactl",
                        "Load the driver; give a container its GPUs (docker run --gpus all, nvidia.com/gpu)."});
    return;
  }
  if (!gpus.trouble.empty()) {
    findings.push_back({Verdict::wrong, "the driver is loaded, but: " + gpus.trouble,
                        "Have the driver's libraries in the container; after an update of the driver, reload it."});
    return;
  }
  if (gpus.gpus.empty()) {
    findings.push_back({Verdict::wrong, "the driver is loaded, but gives this process no GPU",
                        "Ask Slurm or the container's runtime for GPUs."});
    return;
  }
  if (!gpus.cuda_trouble.empty()) {
    findings.push_back({Verdict::wrong, described(gpus) + ", but CUDA cannot be initialised: " + gpus.cuda_trouble,
                        "Look at dmesg; GPUs behind NVSwitch need nvidia-fabricmanager of the driver's version."});
  } else if (!subject.airamp.path.empty() && !subject.airamp.cuda_plugin) {
    findings.push_back({Verdict::wrong, described(gpus) + ", but AIRamp has no libairamp-cuda.so",
                        "Build AIRamp where nvcc is; until then collectives on GPU buffers stay native."});
  } else {
    findings.push_back({Verdict::good, described(gpus), ""});
  }
  if (has_mode(gpus, ComputeMode::prohibited)) {
    findings.push_back({Verdict::wrong, "a GPU is in compute mode PROHIBITED: no program can use it",
                        "As root: nvidia-smi -c DEFAULT"});
  }
  const bool parts = std::any_of(gpus.gpus.begin(), gpus.gpus.end(), [](const auto& gpu) { return gpu.partitioned; });
  if (parts) {
    findings.push_back({Verdict::worth_knowing, "MIG is on: parts of GPUs have no peer access, and calls stay native",
                        "As root, for MPI jobs: nvidia-smi -mig 0"});
  }
}

/// Whether MPS runs, by the names of processes, which the kernel cuts after 15 letters, or by its pipe.
bool has_mps(const System& system) {
  const std::string pipes = system.variable("CUDA_MPS_PIPE_DIRECTORY");
  if (system.exists((pipes.empty() ? "/tmp/nvidia-mps" : pipes) + "/control")) return true;
  const std::vector<std::string> processes = system.entries("/proc");
  return std::any_of(processes.begin(), processes.end(), [&](const std::string& process) {
    return process.find_first_not_of("0123456789") == std::string::npos &&
           system.text("/proc/" + process + "/comm").value_or("").starts_with("nvidia-cuda-mps");
  });
}

}  // namespace

Findings check_gpus(const Subject& subject) {
  Findings findings;
  const std::vector<PciDevice> devices = pci_devices(subject.system);
  const std::size_t nvidia = count(devices, PciKind::nvidia_gpu);
  const std::size_t amd = count(devices, PciKind::amd_gpu);
  if (nvidia > 0 || subject.system.exists("/dev/nvidiactl")) add_nvidia(subject, nvidia, findings);
  if (amd > 0 && !subject.system.exists("/dev/kfd")) {
    findings.push_back({Verdict::worth_knowing, counted(amd, "AMD GPU", "AMD GPUs") + " on the bus, but no /dev/kfd",
                        "Load amdgpu with ROCm; give a container /dev/kfd and /dev/dri."});
  } else if (amd > 0) {
    findings.push_back({Verdict::not_known,
                        counted(amd, "AMD GPU", "AMD GPUs") + ": their peer access is not looked at",
                        "rocm-smi --showtopo says which of them are linked."});
  }
  if (findings.empty()) findings.push_back({Verdict::good, "none", ""});
  return findings;
}

Findings check_peer_access(const Subject& subject) {
  const probe::Gpus& gpus = subject.gpus;
  if (gpus.gpus.size() < 2) return {};
  if (gpus.cuda_trouble.empty() && !gpus.memory_handles) {
    return {{Verdict::wrong, "memory of these GPUs cannot be mapped into other processes: calls stay native",
             "Use GPUs with memory of their own, outside of WSL."}};
  }
  if (gpus.unreachable.empty()) return {{Verdict::good, "every GPU reaches every other", ""}};
  const std::size_t pairs = gpus.gpus.size() * (gpus.gpus.size() - 1);
  const probe::UnreachablePair& first = gpus.unreachable.front();
  return {{Verdict::worth_knowing,
           std::to_string(gpus.unreachable.size()) + " of " + std::to_string(pairs) +
               " ways between GPUs have none, such as " + std::to_string(first.from) + " to " +
               std::to_string(first.to) + " (" + first.why + "): between them calls stay native or go over the host",
           "Look at IOMMU and ACS here, and at nvidia-smi topo -p2p r; put the ranks on GPUs that reach each other."}};
}

Findings check_gpu_sharing(const Subject& subject) {
  const std::size_t gpus = subject.gpus.gpus.size();
  if (gpus == 0) return {};
  const bool exclusive =
      has_mode(subject.gpus, ComputeMode::exclusive_process) || has_mode(subject.gpus, ComputeMode::exclusive_thread);
  const std::string mps = "Start MPS before the job, as the job's user: nvidia-cuda-mps-control -d";
  if (!subject.ranks.known) {
    return {{Verdict::not_known, "it is not known how many ranks share " + counted(gpus, "GPU", "GPUs"),
             "Give --ranks, the number of ranks of this host."}};
  }
  const auto ranks = static_cast<std::size_t>(subject.ranks.number);
  const std::string found = counted(ranks, "rank", "ranks") + " on " + counted(gpus, "GPU", "GPUs");
  if (ranks <= gpus) return {{Verdict::good, found, ""}};
  if (has_mps(subject.system)) return {{Verdict::good, found + ", which share them by MPS", ""}};
  if (exclusive) {
    return {{Verdict::wrong, found + " in exclusive compute mode: only one rank gets each",
             mps + "; or as root: nvidia-smi -c DEFAULT"}};
  }
  return {{Verdict::worth_knowing, found + " without MPS: kernels of different ranks take turns", mps}};
}

}  // namespace airamp::doctor
