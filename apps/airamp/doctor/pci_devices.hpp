// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/airamp/doctor/system.hpp"

namespace airamp::doctor {

/// What the checks tell apart among PCI devices.
enum class PciKind { nvidia_gpu, amd_gpu, rdma_card, bridge };

struct PciDevice {
  std::string address;  ///< "0000:17:00.0"
  PciKind kind;
};

/// The PCI devices of these kinds, by address.
std::vector<PciDevice> pci_devices(const System& system);

/// Whether it moves data of other devices over PCI by itself.
constexpr bool is_peer(PciKind kind) { return kind != PciKind::bridge; }

/// How many of a kind there are.
std::size_t count(const std::vector<PciDevice>& devices, PciKind kind);

}  // namespace airamp::doctor
