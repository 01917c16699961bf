// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/busy_thread.hpp"

#include <algorithm>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "mpitests/real_device/application_kernels.hpp"
#include "mpitests/real_device/device_memory.hpp"

namespace airamp::gpu_tests {
namespace {

using namespace std::chrono_literals;
using differential::Random;

constexpr std::size_t max_elements = 1U << 20U;

std::string finished(const char* what, cudaError_t status) {
  return status == cudaSuccess ? "" : std::string(what) + ": " + cudaGetErrorString(status);
}

/// One piece of work after the other, most of them on memory whose every element must be `value_` afterwards.
class Work {
 public:
  explicit Work(Random& random) : random_(random) {}

  // Says what was wrong.
  std::string piece() {
    const std::size_t count = 1 + random_.below(max_elements);
    value_ += 1;
    switch (random_.below(6)) {
      case 0:
        return fill_allocated(count);
      case 1:
        return fill_from_pool(count);
      case 2:
        return replay_graph(count);
      case 3:
        return copy_there_and_back(count);
      case 4:
        launch_waves(3, 50us, stream_);
        return finished("a kernel of several waves", cudaStreamSynchronize(stream_));
      default:
        return wait_by_asking();
    }
  }

 private:
  std::string holds_value(const char* what, const void* data, std::size_t count) {
    host_.resize(count);
    const cudaError_t copied =
        cudaMemcpyAsync(host_.data(), data, count * sizeof(float), cudaMemcpyDeviceToHost, stream_);
    if (copied != cudaSuccess) return finished(what, copied);
    if (const cudaError_t status = cudaStreamSynchronize(stream_); status != cudaSuccess) return finished(what, status);
    const bool right = std::all_of(host_.begin(), host_.end(), [this](float value) { return value == value_; });
    return right ? "" : std::string(what) + ": wrong numbers";
  }

  std::string fill_allocated(std::size_t count) {
    const DeviceMemory memory(count * sizeof(float));
    launch_fill(static_cast<float*>(memory.data()), count, value_, stream_);
    return holds_value("a kernel", memory.data(), count);
  }

  std::string fill_from_pool(std::size_t count) {
    void* memory = nullptr;
    require(cudaMallocAsync(&memory, count * sizeof(float), stream_), "cudaMallocAsync");
    launch_fill(static_cast<float*>(memory), count, value_, stream_);
    std::string mistake = holds_value("a kernel on memory of a pool", memory, count);
    require(cudaFreeAsync(memory, stream_), "cudaFreeAsync");
    return mistake;
  }

  // Captured in the mode that concerns this thread alone: the others' calls are not to blame then.
  std::string replay_graph(std::size_t count) {
    const DeviceMemory memory(count * sizeof(float));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    require(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    for (int i = 0; i < 8; ++i) launch_fill(static_cast<float*>(memory.data()), count, value_, stream_);
    if (const cudaError_t ended = cudaStreamEndCapture(stream_, &graph); ended != cudaSuccess) {
      return finished("cudaStreamEndCapture", ended);
    }
    require(cudaGraphInstantiateWithFlags(&executable, graph, 0), "cudaGraphInstantiateWithFlags");
    require(cudaGraphLaunch(executable, stream_), "cudaGraphLaunch");
    std::string mistake = holds_value("a graph", memory.data(), count);
    require(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
    require(cudaGraphDestroy(graph), "cudaGraphDestroy");
    return mistake;
  }

  std::string copy_there_and_back(std::size_t count) {
    const DeviceMemory first(count * sizeof(float));
    const DeviceMemory second(count * sizeof(float));
    const std::vector<float> values(count, value_);
    require(cudaMemcpy(first.data(), values.data(), count * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    // Not done on return, and in the default stream.
    require(cudaMemcpy(second.data(), first.data(), count * sizeof(float), cudaMemcpyDeviceToDevice), "cudaMemcpy");
    require(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
    return holds_value("copies", second.data(), count);
  }

  std::string wait_by_asking() {
    cudaEvent_t event = nullptr;
    require(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    launch_delay(20us, stream_);
    require(cudaEventRecord(event, stream_), "cudaEventRecord");
    cudaError_t status = cudaErrorNotReady;
    while (status == cudaErrorNotReady) status = cudaEventQuery(event);
    cudaGetLastError();  // "not ready" is one
    require(cudaEventDestroy(event), "cudaEventDestroy");
    return finished("cudaEventQuery", status);
  }

  Random& random_;
  const Stream stream_;
  std::vector<float> host_;
  float value_ = 0;
};

}  // namespace

BusyThread::BusyThread(int device, std::uint64_t seed) {
  thread_ = std::thread([this, device, seed] { run(device, seed); });
}

BusyThread::~BusyThread() { stop(); }

std::string BusyThread::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
  return mistake_;
}

void BusyThread::run(int device, std::uint64_t seed) {
  require(cudaSetDevice(device), "cudaSetDevice");
  load_kernels();
  Random random(seed);
  Work work(random);
  for (; !stopping_ && mistake_.empty(); ++done_) {
    mistake_ = work.piece();
    if (mistake_.empty()) mistake_ = finished("a kernel's launch", cudaGetLastError());
  }
}

}  // namespace airamp::gpu_tests
