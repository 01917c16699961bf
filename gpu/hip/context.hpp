// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hip/hip_runtime_api.h>

#include "gpu/backend.hpp"
#include "gpu/location.hpp"

namespace airamp::gpu::platform {

/// The device to work on. HIP has one context for each, which exists already: a pointer of the device's has been seen.
class Context {
 public:
  bool open(const Location& location, Error& error) noexcept;
  int device() const { return device_; }
  bool is_primary() const { return true; }
  bool is_alive() const { return true; }

 private:
  int device_ = -1;
};

/// Makes a device the calling thread's current one for a while, in which other threads' captures of graphs do not mind
/// what this one does. The plugin shares its HIP runtime with the application,
/// so the thread's last error is looked after too: one of the application's stays, none of ours does.
class CurrentContext {
 public:
  explicit CurrentContext(const Context& context, bool known_alive = false) noexcept;
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext();

  bool is_current() const { return current_; }
  /// is_current(), with an explanation if it is not.
  bool check(Error& error) const noexcept;

 private:
  hipError_t earlier_error_;
  int earlier_device_ = -1;
  bool current_ = false;
  bool changed_ = false;
  hipStreamCaptureMode capture_mode_ = hipStreamCaptureModeRelaxed;
};

}  // namespace airamp::gpu::platform
