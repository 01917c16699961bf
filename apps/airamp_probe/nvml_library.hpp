// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "apps/airamp_probe/opened_library.hpp"

namespace airamp::probe {

/// NVIDIA's management library, opened at run time: it comes with the driver. Its types are declared here as nvml.h has
/// them, which is not everywhere. Functions that some versions lack may be nullptr.
class NvmlLibrary {
 public:
  using Status = int;
  using Device = void*;
  static constexpr Status success = 0;
  static constexpr Status insufficient_size = 7;

  struct PciInfo {
    char legacy_address[16];
    std::uint32_t domain;
    std::uint32_t bus;
    std::uint32_t device;
    std::uint32_t device_id;
    std::uint32_t subsystem_id;
    char address[32];
  };
  struct Process {
    std::uint32_t number;
    std::uint64_t used_memory;
    std::uint32_t gpu_instance;
    std::uint32_t compute_instance;
  };
  struct FieldValue {
    std::uint32_t field;
    std::uint32_t scope;
    std::int64_t timestamp;
    std::int64_t latency;
    std::int32_t value_type;
    Status status;
    std::uint64_t value;  ///< little-endian: a narrower one is in its lower bytes
  };
  /// NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON: MB/s of one active link, each way.
  static constexpr std::uint32_t field_nvlink_speed = 90;
  /// nvmlGpuP2PCapsIndex_t, nvmlGpuP2PStatus_t.
  static constexpr int peer_read = 0;
  static constexpr int peer_write = 1;
  static constexpr int peer_ok = 0;

  NvmlLibrary() : library_("libnvidia-ml.so.1") {
    complete_ = library_.resolve(init, "nvmlInit_v2") && library_.resolve(shutdown, "nvmlShutdown") &&
                library_.resolve(driver_version, "nvmlSystemGetDriverVersion") &&
                library_.resolve(count, "nvmlDeviceGetCount_v2") &&
                library_.resolve(device, "nvmlDeviceGetHandleByIndex_v2") &&
                library_.resolve(name, "nvmlDeviceGetName") && library_.resolve(pci_info, "nvmlDeviceGetPciInfo_v3");
    library_.resolve(error_text, "nvmlErrorString");
    library_.resolve(compute_mode, "nvmlDeviceGetComputeMode");
    library_.resolve(partitioning, "nvmlDeviceGetMigMode");
    library_.resolve(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    library_.resolve(peer_status, "nvmlDeviceGetP2PStatus");
    library_.resolve(pcie_generation, "nvmlDeviceGetMaxPcieLinkGeneration");
    library_.resolve(pcie_width, "nvmlDeviceGetMaxPcieLinkWidth");
    library_.resolve(link_state, "nvmlDeviceGetNvLinkState");
    library_.resolve(field_values, "nvmlDeviceGetFieldValues");
  }

  /// Why it cannot be used; empty if it can.
  std::string trouble() const {
    if (!library_.trouble().empty()) return library_.trouble();
    return complete_ ? "" : "libnvidia-ml.so.1 lacks functions";
  }

  Status (*init)() = nullptr;
  Status (*shutdown)() = nullptr;
  Status (*driver_version)(char* text, unsigned size) = nullptr;
  Status (*count)(unsigned* number) = nullptr;
  Status (*device)(unsigned place, Device* device) = nullptr;
  Status (*name)(Device device, char* text, unsigned size) = nullptr;
  Status (*pci_info)(Device device, PciInfo* info) = nullptr;
  const char* (*error_text)(Status status) = nullptr;
  Status (*compute_mode)(Device device, int* mode) = nullptr;
  Status (*partitioning)(Device device, unsigned* now, unsigned* pending) = nullptr;
  Status (*processes)(Device device, unsigned* number, Process* processes) = nullptr;
  Status (*peer_status)(Device from, Device to, int capability, int* status) = nullptr;
  Status (*pcie_generation)(Device device, unsigned* generation) = nullptr;
  Status (*pcie_width)(Device device, unsigned* lanes) = nullptr;
  Status (*link_state)(Device device, unsigned link, int* active) = nullptr;
  Status (*field_values)(Device device, int number, FieldValue* values) = nullptr;

 private:
  OpenedLibrary library_;
  bool complete_ = false;
};

}  // namespace airamp::probe
