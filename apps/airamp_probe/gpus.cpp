// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp_probe/gpus.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

#include "apps/airamp_probe/cuda_driver.hpp"
#include "apps/airamp_probe/nvml_library.hpp"

namespace airamp::probe {
namespace {

/// PCI Express Base: bytes per second of a lane, by generation, after encoding (8b/10b, 128b/130b; flits of the sixth).
constexpr std::array lane_bytes_per_second = {0.0, 0.25e9, 0.5e9, 0.985e9, 1.969e9, 3.938e9, 7.563e9};

/// nvmlGpuP2PStatus_t.
constexpr std::array peer_troubles = {"",
                                      "the chipset does not support it",
                                      "a GPU does not support it",
                                      "the topology between them does not support it",
                                      "it is disabled by a setting of the driver",
                                      "it is not supported"};

std::string address_of(const NvmlLibrary::PciInfo& info) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0", info.domain, info.bus, info.device);
  return text.data();
}

double pcie_speed(const NvmlLibrary& nvml, NvmlLibrary::Device device) {
  unsigned generation = 0;
  unsigned lanes = 0;
  if (nvml.pcie_generation == nullptr || nvml.pcie_generation(device, &generation) != NvmlLibrary::success) return 0;
  if (nvml.pcie_width == nullptr || nvml.pcie_width(device, &lanes) != NvmlLibrary::success) return 0;
  return generation < lane_bytes_per_second.size() ? lane_bytes_per_second[generation] * lanes : 0;
}

double nvlink_speed(const NvmlLibrary& nvml, NvmlLibrary::Device device) {
  if (nvml.link_state == nullptr || nvml.field_values == nullptr) return 0;
  constexpr unsigned most_links = 36;
  int links = 0;
  for (unsigned link = 0; link < most_links; ++link) {
    int active = 0;
    if (nvml.link_state(device, link, &active) == NvmlLibrary::success && active == 1) ++links;
  }
  if (links == 0) return 0;
  NvmlLibrary::FieldValue speed{.field = NvmlLibrary::field_nvlink_speed};
  if (nvml.field_values(device, 1, &speed) != NvmlLibrary::success || speed.status != NvmlLibrary::success) return 0;
  return 1e6 * static_cast<double>(speed.value & 0xffffffffU) * links;
}

std::vector<std::uint64_t> processes_on(const NvmlLibrary& nvml, NvmlLibrary::Device device) {
  std::vector<std::uint64_t> numbers;
  if (nvml.processes == nullptr) return numbers;
  std::array<NvmlLibrary::Process, 256> processes{};
  auto count = static_cast<unsigned>(processes.size());
  if (nvml.processes(device, &count, processes.data()) != NvmlLibrary::success) return numbers;
  for (unsigned i = 0; i < count; ++i) numbers.push_back(processes[i].number);
  return numbers;
}

Gpu describe(const NvmlLibrary& nvml, NvmlLibrary::Device device) {
  Gpu gpu;
  std::array<char, 96> name{};
  if (nvml.name(device, name.data(), name.size()) == NvmlLibrary::success) gpu.name = name.data();
  NvmlLibrary::PciInfo info{};
  if (nvml.pci_info(device, &info) == NvmlLibrary::success) gpu.address = address_of(info);
  if (nvml.compute_mode != nullptr) nvml.compute_mode(device, &gpu.compute_mode);
  unsigned now = 0;
  unsigned pending = 0;
  gpu.partitioned =
      nvml.partitioning != nullptr && nvml.partitioning(device, &now, &pending) == NvmlLibrary::success && now == 1;
  gpu.processes = processes_on(nvml, device);
  gpu.pcie_bytes_per_second = pcie_speed(nvml, device);
  gpu.nvlink_bytes_per_second = nvlink_speed(nvml, device);
  return gpu;
}

/// Why one GPU cannot read or write another's memory; empty if it can, or nobody knows.
std::string peer_trouble(const NvmlLibrary& nvml, NvmlLibrary::Device from, NvmlLibrary::Device to) {
  if (nvml.peer_status == nullptr) return {};
  for (const int capability : {NvmlLibrary::peer_read, NvmlLibrary::peer_write}) {
    int status = NvmlLibrary::peer_ok;
    if (nvml.peer_status(from, to, capability, &status) != NvmlLibrary::success || status == NvmlLibrary::peer_ok) {
      continue;
    }
    const auto number = static_cast<std::size_t>(status);
    return number < peer_troubles.size() ? peer_troubles[number] : "the driver does not say why";
  }
  return {};
}

void ask_cuda(Gpus& answer) {
  const CudaDriver cuda;
  answer.cuda_trouble = cuda.trouble();
  if (!answer.cuda_trouble.empty()) return;
  if (const auto status = cuda.init(0); status != CudaDriver::success) {
    answer.cuda_trouble = cuda.describe(status);
    return;
  }
  // CUDA Programming Guide: memory handles for other processes need unified addressing, and not a GPU of a system on a
  // chip.
  int count = 0;
  cuda.count(&count);
  answer.memory_handles = count > 0;
  for (int place = 0; place < count; ++place) {
    CudaDriver::Device device = 0;
    int unified = 0;
    int integrated = 0;
    cuda.device(&device, place);
    cuda.attribute(&unified, CudaDriver::unified_addressing, device);
    cuda.attribute(&integrated, CudaDriver::integrated, device);
    answer.memory_handles = answer.memory_handles && unified == 1 && integrated == 0;
  }
}

}  // namespace

Gpus ask_gpus() {
  const NvmlLibrary nvml;
  Gpus answer{.trouble = nvml.trouble()};
  if (!answer.trouble.empty()) return answer;
  if (const auto status = nvml.init(); status != NvmlLibrary::success) {
    answer.trouble = std::string("NVIDIA's management library says: ") +
                     (nvml.error_text == nullptr ? std::to_string(status) : nvml.error_text(status));
    return answer;
  }
  std::array<char, 96> version{};
  if (nvml.driver_version(version.data(), version.size()) == NvmlLibrary::success) answer.driver = version.data();
  unsigned count = 0;
  nvml.count(&count);
  std::vector<NvmlLibrary::Device> devices;
  for (unsigned place = 0; place < count; ++place) {
    NvmlLibrary::Device device = nullptr;
    if (nvml.device(place, &device) != NvmlLibrary::success) continue;
    devices.push_back(device);
    answer.gpus.push_back(describe(nvml, device));
  }
  for (std::size_t from = 0; from < devices.size(); ++from) {
    for (std::size_t to = 0; to < devices.size(); ++to) {
      const std::string why = from == to ? std::string() : peer_trouble(nvml, devices[from], devices[to]);
      if (!why.empty()) answer.unreachable.push_back({static_cast<int>(from), static_cast<int>(to), why});
    }
  }
  nvml.shutdown();
  if (!answer.gpus.empty()) ask_cuda(answer);
  return answer;
}

}  // namespace airamp::probe
