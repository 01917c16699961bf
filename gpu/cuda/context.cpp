// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/context.hpp"

#include <dlfcn.h>

#include "gpu/runtime/error_text.hpp"

namespace airamp::gpu::platform {
namespace {

Driver load() noexcept {
  Driver driver;
  // Whoever has a device pointer has the driver loaded; it stays for the life of the process.
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return driver;
  const auto find = [library](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
  };
  find(driver.get, "cuCtxGetCurrent");
  find(driver.push, "cuCtxPushCurrent_v2");
  find(driver.pop, "cuCtxPopCurrent_v2");
  find(driver.device_get, "cuDeviceGet");
  find(driver.primary_state, "cuDevicePrimaryCtxGetState");
  find(driver.primary_retain, "cuDevicePrimaryCtxRetain");
  find(driver.primary_release, "cuDevicePrimaryCtxRelease_v2");
  find(driver.exchange_capture_mode, "cuThreadExchangeStreamCaptureMode");
  find(driver.get_id, "cuCtxGetId");
  return driver;
}

}  // namespace

const Driver* Driver::find() noexcept {
  static const Driver driver = load();
  const bool complete = driver.get != nullptr && driver.push != nullptr && driver.pop != nullptr &&
                        driver.device_get != nullptr && driver.primary_state != nullptr &&
                        driver.primary_retain != nullptr && driver.primary_release != nullptr &&
                        driver.exchange_capture_mode != nullptr;
  return complete ? &driver : nullptr;
}

bool Context::open(const Location& location, Error& error) noexcept {
  const Driver* driver = Driver::find();
  if (driver == nullptr) {
    runtime::describe(error, "looking for the CUDA driver", "libcuda.so.1 is missing or too old");
    return false;
  }
  unsigned flags = 0;
  int active = 0;
  if (driver->device_get(&device_, location.device) != CUDA_SUCCESS ||
      driver->primary_state(device_, &flags, &active) != CUDA_SUCCESS) {
    runtime::describe(error, "looking for the GPU's primary context", "the driver does not know the GPU");
    return false;
  }
  context_ = static_cast<CUcontext>(location.context);
  CUcontext primary = nullptr;
  if (active != 0 && driver->primary_retain(&primary, device_) != CUDA_SUCCESS) {  // active: nothing is created
    runtime::describe(error, "retaining the GPU's primary context", "the driver refused");
    return false;
  }
  if (context_ == nullptr) context_ = primary;
  if (context_ == nullptr) {
    runtime::describe(error, "looking for the GPU's primary context", "the application has none");
    return false;
  }
  primary_ = primary == context_;
  // It stays retained where the memory belongs to no context.
  retained_ = primary != nullptr && location.context == nullptr;
  if (primary != nullptr && !retained_) driver->primary_release(device_);
  if (driver->get_id != nullptr) driver->get_id(context_, &id_);
  return true;
}

bool Context::is_alive() const noexcept {
  const Driver* driver = Driver::find();
  unsigned flags = 0;
  int active = 0;
  if (driver == nullptr || context_ == nullptr) return false;
  unsigned long long id = 0;
  if (driver->get_id != nullptr) return driver->get_id(context_, &id) == CUDA_SUCCESS && id == id_;
  if (primary_ && (driver->primary_state(device_, &flags, &active) != CUDA_SUCCESS || active == 0)) return false;
  return true;
}

Context::~Context() {
  if (retained_ && is_alive()) Driver::find()->primary_release(device_);
}

CurrentContext::CurrentContext(const Context& context, bool known_alive) noexcept {
  if (!known_alive && !context.is_alive()) return;
  const Driver& driver = *Driver::find();
  CUcontext current = nullptr;
  if (driver.get(&current) == CUDA_SUCCESS && current == context.handle())
    state_ = State::was_current;
  else if (driver.push(context.handle()) == CUDA_SUCCESS)
    state_ = State::pushed;
  if (is_current()) driver.exchange_capture_mode(&capture_mode_);
}

CurrentContext::~CurrentContext() {
  if (!is_current()) return;
  const Driver& driver = *Driver::find();
  driver.exchange_capture_mode(&capture_mode_);
  CUcontext popped;
  if (state_ == State::pushed) driver.pop(&popped);
}

bool CurrentContext::check(Error& error) const noexcept {
  if (!is_current()) runtime::describe(error, "entering the application's CUDA context", "it no longer exists");
  return is_current();
}

}  // namespace airamp::gpu::platform
