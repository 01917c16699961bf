// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/api_counter.hpp"

#include <cuda_runtime_api.h>
#include <cupti.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace airamp::gpu_tests {
namespace {

constexpr CUpti_CallbackDomain domain = CUPTI_CB_DOMAIN_DRIVER_API;
constexpr std::size_t max_functions = 4096;  // the driver of CUDA 13 has 806

bool begins(const std::string& name, const char* with) { return name.rfind(with, 0) == 0; }

bool contains(const std::string& name, const char* part) { return name.find(part) != std::string::npos; }

struct Functions {
  decltype(&::cuptiSubscribe) subscribe;
  decltype(&::cuptiUnsubscribe) unsubscribe;
  decltype(&::cuptiEnableDomain) enable_domain;
  decltype(&::cuptiGetCallbackName) name;
  decltype(&::cuptiGetResultString) error_string;
};

template <class Function>
bool look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool load(Functions& functions, std::string& why) {
  void* library = nullptr;
  why = "CUPTI cannot be opened";
  for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so",
                           "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so", "/usr/local/cuda/lib64/libcupti.so"}) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
    if (const char* mistake = dlerror()) why += std::string("; ") + mistake;
  }
  if (library == nullptr) return false;
  why = "CUPTI lacks a function";
  return look_up(library, "cuptiSubscribe", functions.subscribe) &&
         look_up(library, "cuptiUnsubscribe", functions.unsubscribe) &&
         look_up(library, "cuptiEnableDomain", functions.enable_domain) &&
         look_up(library, "cuptiGetCallbackName", functions.name) &&
         look_up(library, "cuptiGetResultString", functions.error_string);
}

class CuptiCounter final : public ApiCounter {
 public:
  explicit CuptiCounter(const Functions& cupti) : cupti_(cupti) {}
  ~CuptiCounter() override {
    if (subscriber_ != nullptr) cupti_.unsubscribe(subscriber_);
  }

  bool subscribe(std::string& why) {
    CUptiResult result = cupti_.subscribe(&subscriber_, heard, this);
    if (result == CUPTI_SUCCESS) {
      result = cupti_.enable_domain(1, subscriber_, domain);
    } else {
      subscriber_ = nullptr;
    }
    if (result == CUPTI_SUCCESS) return true;
    const char* text = nullptr;
    cupti_.error_string(result, &text);
    why = std::string("CUPTI does not tell of calls: ") + (text != nullptr ? text : "unknown error");
    return false;
  }

  void start() override {
    for (std::atomic<std::uint64_t>& count : counts_) count.store(0, std::memory_order_relaxed);
    counting_.store(true);
  }
  void stop() override { counting_.store(false); }

  Totals totals() const override {
    Totals totals;
    for (std::size_t id = 0; id < max_functions; ++id) {
      const std::uint64_t calls = counts_[id].load(std::memory_order_relaxed);
      if (calls == 0) continue;
      switch (class_of_function(name_of(id))) {
        case ApiClass::launch:
          totals.launches += calls;
          break;
        case ApiClass::synchronisation:
          totals.synchronisations += calls;
          break;
        case ApiClass::query:
          totals.queries += calls;
          break;
        case ApiClass::other:
          break;
      }
    }
    return totals;
  }

  std::vector<Function> functions() const override {
    std::vector<Function> result;
    for (std::size_t id = 0; id < max_functions; ++id) {
      const std::uint64_t calls = counts_[id].load(std::memory_order_relaxed);
      if (calls != 0) result.push_back({name_of(id), calls});
    }
    std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.calls > b.calls; });
    return result;
  }

 private:
  static void CUPTIAPI heard(void* self, CUpti_CallbackDomain /*domain*/, CUpti_CallbackId id, const void* data) {
    auto& counter = *static_cast<CuptiCounter*>(self);
    const bool entered = static_cast<const CUpti_CallbackData*>(data)->callbackSite == CUPTI_API_ENTER;
    if (!entered || !counter.counting_.load(std::memory_order_relaxed)) return;
    counter.counts_[std::min<std::size_t>(id, max_functions - 1)].fetch_add(1, std::memory_order_relaxed);
  }

  std::string name_of(std::size_t id) const {
    const char* name = nullptr;
    const bool known = cupti_.name(domain, static_cast<std::uint32_t>(id), &name) == CUPTI_SUCCESS && name != nullptr;
    return known ? name : "function " + std::to_string(id);
  }

  Functions cupti_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::atomic<bool> counting_ = false;
  std::array<std::atomic<std::uint64_t>, max_functions> counts_{};
};

}  // namespace

ApiClass class_of_function(const std::string& name) {
  if (begins(name, "cuLaunch") || begins(name, "cuGraphLaunch")) return ApiClass::launch;
  if (contains(name, "Synchronize")) return ApiClass::synchronisation;
  const bool moves = begins(name, "cuMemcpy") || begins(name, "cuMemset");
  if (moves && !contains(name, "Async")) return ApiClass::synchronisation;
  if (begins(name, "cuStreamQuery") || begins(name, "cuEventQuery")) return ApiClass::query;
  return ApiClass::other;
}

std::unique_ptr<ApiCounter> ApiCounter::open(std::string& why) {
  Functions cupti{};
  if (!load(cupti, why)) return nullptr;
  auto counter = std::make_unique<CuptiCounter>(cupti);
  if (!counter->subscribe(why)) return nullptr;
  counter->start();
  const bool synchronised = cudaDeviceSynchronize() == cudaSuccess && cudaStreamSynchronize(nullptr) == cudaSuccess;
  counter->stop();
  if (synchronised && counter->totals().synchronisations != 0) return counter;
  why = "CUPTI did not tell of a synchronisation that was made, but of:";
  for (const Function& function : counter->functions()) why += " " + function.name;
  return nullptr;
}

}  // namespace airamp::gpu_tests
