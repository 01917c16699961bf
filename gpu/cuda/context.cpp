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
  return driver;
}

}  // namespace

const Driver* Driver::find() noexcept {
  static const Driver driver = load();
  const bool complete = driver.get != nullptr && driver.push != nullptr && driver.pop != nullptr &&
                        driver.device_get != nullptr && driver.primary_state != nullptr &&
                        driver.primary_retain != nullptr && driver.primary_release != nullptr;
  return complete ? &driver : nullptr;
}

bool Context::open(const Location& location, Error& error) noexcept {
  const Driver* driver = Driver::find();
  if (driver == nullptr) {
    runtime::describe(error, "looking for the CUDA driver", "libcuda.so.1 is missing or too old");
    return false;
  }
  ordinal_ = location.device;
  if (location.context != nullptr) {
    context_ = static_cast<CUcontext>(location.context);
    return true;
  }
  CUdevice device = -1;
  unsigned flags = 0;
  int active = 0;
  if (driver->device_get(&device, location.device) != CUDA_SUCCESS ||
      driver->primary_state(device, &flags, &active) != CUDA_SUCCESS) {
    runtime::describe(error, "looking for the GPU's primary context", "the driver does not know the GPU");
    return false;
  }
  if (active == 0) {
    runtime::describe(error, "looking for the GPU's primary context", "the application has none");
    return false;
  }
  if (driver->primary_retain(&context_, device) != CUDA_SUCCESS) {
    runtime::describe(error, "retaining the GPU's primary context", "the driver refused");
    context_ = nullptr;
    return false;
  }
  retained_device_ = device;
  return true;
}

bool Context::is_primary() const noexcept {
  const Driver* driver = Driver::find();
  CUdevice device = -1;
  unsigned flags = 0;
  int active = 0;
  CUcontext primary = nullptr;
  if (driver == nullptr || driver->device_get(&device, ordinal_) != CUDA_SUCCESS ||
      driver->primary_state(device, &flags, &active) != CUDA_SUCCESS || active == 0 ||
      driver->primary_retain(&primary, device) != CUDA_SUCCESS)  // it is active: nothing is created
    return false;
  driver->primary_release(device);
  return primary == context_;
}

Context::~Context() {
  if (retained_device_ >= 0) Driver::find()->primary_release(retained_device_);
}

CurrentContext::CurrentContext(const Context& context) noexcept {
  if (context.handle() == nullptr) return;
  const Driver& driver = *Driver::find();
  CUcontext current = nullptr;
  if (driver.get(&current) == CUDA_SUCCESS && current == context.handle())
    state_ = State::was_current;
  else if (driver.push(context.handle()) == CUDA_SUCCESS)
    state_ = State::pushed;
}

CurrentContext::~CurrentContext() {
  CUcontext popped;
  if (state_ == State::pushed) Driver::find()->pop(&popped);
}

bool CurrentContext::check(Error& error) const noexcept {
  if (!is_current()) runtime::describe(error, "entering the application's CUDA context", "it no longer exists");
  return is_current();
}

}  // namespace airamp::gpu::platform
