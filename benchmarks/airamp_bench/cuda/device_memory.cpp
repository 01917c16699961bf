// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>

#include "benchmarks/airamp_bench/memory.hpp"
#include "cuda_runtime.hpp"

namespace airamp::benchmark {
namespace {

constexpr std::size_t staging_bytes = 32U << 20U;

class DeviceMemory final : public Memory {
 public:
  explicit DeviceMemory(const CudaRuntime& cuda) : cuda_(cuda) {}

  ~DeviceMemory() override {
    if (staging_ != nullptr) cuda_.release_host(staging_);
  }

  std::byte* allocate(std::size_t bytes) override {
    void* data = nullptr;
    cuda_.check(cuda_.allocate(&data, bytes), "cudaMalloc of " + std::to_string(bytes) + " bytes");
    return static_cast<std::byte*>(data);
  }

  void release(std::byte* data) override { cuda_.release(data); }

  // Copies inside the device, from pageable memory and fills return before they are done; MPI wants them done.
  void copy(void* to, const void* from, std::size_t bytes) override {
    cuda_.check(cuda_.copy(to, from, bytes, cudaMemcpyDefault), "cudaMemcpy");
    cuda_.check(cuda_.synchronize(), "cudaMemcpy");
  }

  void fill(void* data, unsigned char value, std::size_t bytes) override {
    cuda_.check(cuda_.fill(data, value, bytes), "cudaMemset");
    cuda_.check(cuda_.synchronize(), "cudaMemset");
  }

  std::span<std::byte> staging() override {
    if (staging_ == nullptr) cuda_.check(cuda_.allocate_host(&staging_, staging_bytes), "cudaMallocHost");
    return {static_cast<std::byte*>(staging_), staging_bytes};
  }

  const std::byte* readable(const std::byte* /*data*/) const override { return nullptr; }

 private:
  const CudaRuntime& cuda_;
  void* staging_ = nullptr;
};

}  // namespace

std::unique_ptr<Memory> device_memory(int local_rank) {
  const CudaRuntime& cuda = cuda_runtime();
  int devices = 0;
  cuda.check(cuda.get_device_count(&devices), "--memory device");
  if (devices == 0) throw std::runtime_error("--memory device: there is no GPU");
  cuda.check(cuda.set_device(local_rank % devices), "cudaSetDevice");
  return std::make_unique<DeviceMemory>(cuda);
}

}  // namespace airamp::benchmark
