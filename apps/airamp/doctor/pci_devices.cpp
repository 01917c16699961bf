// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/pci_devices.hpp"

#include <algorithm>
#include <optional>

namespace airamp::doctor {
namespace {

constexpr const char* folder = "/sys/bus/pci/devices/";

/// PCI Code and ID Assignment: 0x03 display controllers, 0x12 processing accelerators, 0x0604 bridges to PCI.
std::optional<PciKind> kind_of(const System& system, const std::string& address) {
  const std::string pci_class = system.text(folder + address + "/class").value_or("");
  const std::string vendor = system.text(folder + address + "/vendor").value_or("");
  const bool computes = pci_class.starts_with("0x03") || pci_class.starts_with("0x12");
  if (computes && vendor == "0x10de") return PciKind::nvidia_gpu;
  if (computes && vendor == "0x1002") return PciKind::amd_gpu;
  if (pci_class.starts_with("0x0604")) return PciKind::bridge;
  if (!system.entries(folder + address + "/infiniband").empty()) return PciKind::rdma_card;
  return {};
}

}  // namespace

std::vector<PciDevice> pci_devices(const System& system) {
  std::vector<PciDevice> devices;
  for (const std::string& address : system.entries(folder)) {
    if (const auto kind = kind_of(system, address)) devices.push_back({address, *kind});
  }
  return devices;
}

std::size_t count(const std::vector<PciDevice>& devices, PciKind kind) {
  return static_cast<std::size_t>(
      std::count_if(devices.begin(), devices.end(), [kind](const PciDevice& device) { return device.kind == kind; }));
}

}  // namespace airamp::doctor
