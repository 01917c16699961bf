// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "apps/airamp/doctor/counted.hpp"
#include "apps/airamp/doctor/pci_devices.hpp"

namespace airamp::doctor {
namespace {

/// PCI Express Base: the extended capabilities begin here; what other users than root can read ends long before.
constexpr std::size_t extended = 0x100;
constexpr std::uint32_t access_control_services = 0x0d;
/// Of the control register: requests and completions between peers go up to the root complex.
constexpr std::uint32_t redirects = 0x04 | 0x08;

std::uint32_t word(const std::string& space, std::size_t offset, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(space[offset + i]);
  return value;
}

/// Whether a bridge redirects; nothing if its configuration space does not say, or cannot be read.
std::optional<bool> redirects_peers(const std::string& space) {
  if (space.size() < extended + 4) return {};
  constexpr int most_capabilities = 960;  // as many as fit; a broken chain may be a circle
  std::size_t offset = extended;
  for (int i = 0; i < most_capabilities && offset >= extended && offset + 8 <= space.size(); ++i) {
    const std::uint32_t header = word(space, offset, 4);
    if ((header & 0xffffU) == access_control_services) return (word(space, offset + 6, 2) & redirects) != 0;
    offset = header >> 20U;
  }
  return false;
}

std::vector<PciDevice> peers(const System& system) {
  std::vector<PciDevice> devices = pci_devices(system);
  std::erase_if(devices, [](const PciDevice& device) { return !is_peer(device.kind); });
  return devices;
}

}  // namespace

Findings check_iommu(const Subject& subject) {
  std::size_t translated = 0;
  const std::vector<PciDevice> devices = peers(subject.system);
  if (devices.empty()) return {{Verdict::good, "of no interest: no GPU and no card with RDMA", ""}};
  for (const PciDevice& device : devices) {
    const auto group = subject.system.link("/sys/bus/pci/devices/" + device.address + "/iommu_group");
    const std::string type =
        group ? subject.system.text("/sys/kernel/iommu_groups/" + *group + "/type").value_or("") : "identity";
    if (type.starts_with("DMA")) ++translated;
  }
  if (translated == 0) return {{Verdict::good, "off, or passes addresses of GPUs and RDMA cards through", ""}};
  return {{Verdict::worth_knowing,
           "it translates the addresses of " + counted(translated, "GPU or RDMA card", "GPUs and RDMA cards") +
               ": what they send each other takes a detour",
           "Boot with iommu=pt, unless devices are handed to virtual machines."}};
}

Findings check_access_control(const Subject& subject) {
  if (peers(subject.system).size() < 2) {
    return {{Verdict::good, "of no interest: fewer than two GPUs and cards with RDMA", ""}};
  }
  std::size_t on = 0;
  std::size_t hidden = 0;
  std::size_t bridges = 0;
  for (const PciDevice& device : pci_devices(subject.system)) {
    if (device.kind != PciKind::bridge) continue;
    ++bridges;
    const auto space = subject.system.bytes("/sys/bus/pci/devices/" + device.address + "/config");
    const auto answer = space ? redirects_peers(*space) : std::nullopt;
    if (!answer) ++hidden;
    if (answer == true) ++on;
  }
  if (bridges == 0) return {{Verdict::not_known, "no bridge can be seen, as in virtual machines", ""}};
  if (on > 0) {
    return {{Verdict::wrong,
             "on in " + std::to_string(on) + " of " + counted(bridges, "bridge", "bridges") +
                 ": what GPUs and RDMA cards send each other goes through the root complex",
             "Switch ACS off in the firmware, or by setpci on these bridges, unless devices are handed to virtual "
             "machines."}};
  }
  if (hidden > 0) {
    return {{Verdict::not_known, "root alone can read it of " + counted(hidden, "bridge", "bridges"),
             "Run airamp doctor as root."}};
  }
  return {{Verdict::good, "off", ""}};
}

}  // namespace airamp::doctor
