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
  decltype(&cuThreadExchangeStreamCaptureMode) exchange_capture_mode = nullptr;
  decltype(&cuCtxGetId) get_id = nullptr;  ///< nullptr before CUDA 12

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
  bool is_primary() const noexcept { return primary_; }
  /// Whether it has not been destroyed: cudaDeviceReset does that to primary ones, however often they are retained, and
  /// the next one has the same handle.
  bool is_alive() const noexcept;

 private:
  CUcontext context_ = nullptr;
  CUdevice device_ = -1;
  bool primary_ = false;
  bool retained_ = false;
  unsigned long long id_ = 0;
};

/// Makes a context the calling thread's current one for a while, if it is alive and not that already. Meanwhile other
/// threads' captures of graphs do not mind what this one does.
class CurrentContext {
 public:
  /// `known_alive`: the caller has asked.
  explicit CurrentContext(const Context& context, bool known_alive = false) noexcept;
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext();

  bool is_current() const { return state_ != State::failed; }
  /// is_current(), with an explanation if it is not.
  bool check(Error& error) const noexcept;

 private:
  enum class State { failed, was_current, pushed };
  State state_ = State::failed;
  CUstreamCaptureMode capture_mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

}  // namespace airamp::gpu::platform
