// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "apps/airamp_probe/opened_library.hpp"

namespace airamp::probe {

/// The functions of the CUDA driver that are used, opened at run time. Its types are declared here as cuda.h has them,
/// which is not everywhere.
class CudaDriver {
 public:
  using Status = int;
  using Device = int;
  using Context = void*;
  using Stream = void*;
  using Event = void*;
  using Pointer = std::uint64_t;
  static constexpr Status success = 0;
  static constexpr Status peer_access_already_enabled = 704;
  /// CUdevice_attribute.
  static constexpr int integrated = 18;
  static constexpr int unified_addressing = 41;

  CudaDriver() : library_("libcuda.so.1") {
    complete_ =
        library_.resolve(init, "cuInit") && library_.resolve(error_text, "cuGetErrorString") &&
        library_.resolve(device, "cuDeviceGet") && library_.resolve(device_by_address, "cuDeviceGetByPCIBusId") &&
        library_.resolve(count, "cuDeviceGetCount") && library_.resolve(attribute, "cuDeviceGetAttribute") &&
        library_.resolve(retain_context, "cuDevicePrimaryCtxRetain") &&
        library_.resolve(use_context, "cuCtxSetCurrent") && library_.resolve(enable_peer, "cuCtxEnablePeerAccess") &&
        library_.resolve(allocate, "cuMemAlloc_v2") && library_.resolve(free, "cuMemFree_v2") &&
        library_.resolve(allocate_host, "cuMemAllocHost_v2") && library_.resolve(free_host, "cuMemFreeHost") &&
        library_.resolve(copy, "cuMemcpyAsync") && library_.resolve(create_event, "cuEventCreate") &&
        library_.resolve(record, "cuEventRecord") && library_.resolve(wait_for_event, "cuEventSynchronize") &&
        library_.resolve(milliseconds_between, "cuEventElapsedTime");
  }

  /// Why it cannot be used; empty if it can.
  std::string trouble() const {
    if (!library_.trouble().empty()) return library_.trouble();
    return complete_ ? "" : "libcuda.so.1 lacks functions";
  }

  /// What a status means, for people.
  std::string describe(Status status) const {
    const char* text = nullptr;
    error_text(status, &text);
    return std::string(text == nullptr ? "unknown error" : text) + " (" + std::to_string(status) + ")";
  }

  Status (*init)(unsigned flags) = nullptr;
  Status (*error_text)(Status status, const char** text) = nullptr;
  Status (*device)(Device* device, int place) = nullptr;
  Status (*device_by_address)(Device* device, const char* address) = nullptr;
  Status (*count)(int* number) = nullptr;
  Status (*attribute)(int* value, int attribute, Device device) = nullptr;
  Status (*retain_context)(Context* context, Device device) = nullptr;
  Status (*use_context)(Context context) = nullptr;
  Status (*enable_peer)(Context peer, unsigned flags) = nullptr;
  Status (*allocate)(Pointer* memory, std::size_t bytes) = nullptr;
  Status (*free)(Pointer memory) = nullptr;
  Status (*allocate_host)(void** memory, std::size_t bytes) = nullptr;
  Status (*free_host)(void* memory) = nullptr;
  Status (*copy)(Pointer to, Pointer from, std::size_t bytes, Stream stream) = nullptr;
  Status (*create_event)(Event* event, unsigned flags) = nullptr;
  Status (*record)(Event event, Stream stream) = nullptr;
  Status (*wait_for_event)(Event event) = nullptr;
  Status (*milliseconds_between)(float* milliseconds, Event begin, Event end) = nullptr;

 private:
  OpenedLibrary library_;
  bool complete_ = false;
};

}  // namespace airamp::probe
