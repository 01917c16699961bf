// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/neighbours/occupation.hpp"

#include <thread>

namespace airamp::gpu_tests {
namespace {

using namespace std::chrono_literals;

constexpr auto gives_up = 5s;
constexpr auto time_to_start = 20ms;

}  // namespace

Occupation::Occupation(In in) : stream_(in == In::own_stream ? static_cast<cudaStream_t>(own_stream_) : nullptr) {
  void* flag = nullptr;
  require(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
  stop_ = static_cast<int*>(flag);
}

Occupation::~Occupation() {
  stop();
  require(cudaFreeHost(const_cast<int*>(stop_)), "cudaFreeHost");
}

void Occupation::start() {
  *stop_ = 0;
  launch_occupation(const_cast<const int*>(stop_), gives_up, stream_);
  require(cudaGetLastError(), "a kernel's launch");
  std::this_thread::sleep_for(time_to_start);
}

bool Occupation::running() const {
  const cudaError_t status = cudaStreamQuery(stream_);
  if (status != cudaErrorNotReady) require(status, "cudaStreamQuery");
  return status == cudaErrorNotReady;
}

void Occupation::stop() {
  *stop_ = 1;
  require(cudaGetLastError(), "a kernel's launch");
  require(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

}  // namespace airamp::gpu_tests
