// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/hip/context.hpp"

#include "gpu/runtime/error_text.hpp"

namespace airamp::gpu::platform {

bool Context::open(const Location& location, Error& error) noexcept {
  if (location.platform != Platform::hip || location.device < 0) {
    runtime::describe(error, "opening the GPU", "this is not memory of a HIP device");
    return false;
  }
  device_ = location.device;
  return true;
}

CurrentContext::CurrentContext(const Context& context, bool /*known_alive*/) noexcept
    : earlier_error_(hipPeekAtLastError()) {
  if (context.device() < 0 || hipGetDevice(&earlier_device_) != hipSuccess) return;
  changed_ = earlier_device_ != context.device();
  current_ = !changed_ || hipSetDevice(context.device()) == hipSuccess;
  static_cast<void>(hipThreadExchangeStreamCaptureMode(&capture_mode_));
}

CurrentContext::~CurrentContext() {
  if (earlier_device_ >= 0) static_cast<void>(hipThreadExchangeStreamCaptureMode(&capture_mode_));
  if (changed_) static_cast<void>(hipSetDevice(earlier_device_));
  if (earlier_error_ == hipSuccess) static_cast<void>(hipGetLastError());
}

bool CurrentContext::check(Error& error) const noexcept {
  if (!current_) runtime::describe(error, "making the application's GPU the current one", "the runtime refused");
  return current_;
}

}  // namespace airamp::gpu::platform
