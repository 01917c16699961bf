// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include "gpu/backend.hpp"
#include "gpu/location.hpp"

namespace airamp::gpu::platform {

/// The functions of the CUDA driver that deal with contexts; found in libcuda at run time, so that the plugin does not
/// need it to be opened.
struct Driver {
  decltype(&cuCtxGetCurrent) get = nullptr;
  decltype(&cuCtxPushCurrent) push = nullptr;
  decltype(&cuCtxPopCurrent) pop = nullptr;
  decltype(&cuDeviceGet) device_get = nullptr;
  decltype(&cuDevicePrimaryCtxGetState) primary_state = nullptr;
  decltype(&cuDevicePrimaryCtxRetain) primary_retain = nullptr;
  decltype(&cuDevicePrimaryCtxRelease) primary_release = nullptr;

  /// nullptr if there is no usable driver.
  static const Driver* find() noexcept;
};

/// A context to work in: the application's own, or the primary one of a device, which stays retained meanwhile. Never
/// creates one.
class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  bool open(const Location& location, Error& error) noexcept;
  CUcontext handle() const { return context_; }
  /// Whether it is the one that the CUDA runtime would choose on this device.
  bool is_primary() const noexcept;

 private:
  CUcontext context_ = nullptr;
  int ordinal_ = -1;
  CUdevice retained_device_ = -1;
};

/// Makes a context the calling thread's current one for a while, if it is not that already.
class CurrentContext {
 public:
  explicit CurrentContext(const Context& context) noexcept;
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext();

  bool is_current() const { return state_ != State::failed; }
  /// is_current(), with an explanation if it is not.
  bool check(Error& error) const noexcept;

 private:
  enum class State { failed, was_current, pushed };
  State state_ = State::failed;
};

}  // namespace airamp::gpu::platform
