// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Another thread of the application captures a graph meanwhile, in the mode in which CUDA forbids what could disturb it
// to all threads.
#include <atomic>
#include <thread>

#include "mpitests/real_device/application_kernels.hpp"
#include "mpitests/real_device/device_memory.hpp"
#include "mpitests/real_device/neighbours/cases.hpp"
#include "mpitests/real_device/neighbours/deadline.hpp"
#include "mpitests/real_device/neighbours/sum.hpp"

namespace airamp::gpu_tests {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t elements = 16U << 20U;
constexpr std::size_t captured_elements = 1024;
constexpr int calls = 10;

std::string text_of(const char* what, cudaError_t status) {
  return status == cudaSuccess ? "" : std::string(what) + ": " + cudaGetErrorString(status) + "; ";
}

/// A thread that captures kernels from its construction until end().
class Capture {
 public:
  explicit Capture(int device) : memory_(captured_elements * sizeof(float)) {
    thread_ = std::thread([this, device] {
      require(cudaSetDevice(device), "cudaSetDevice");
      run();
    });
    while (!begun_) std::this_thread::sleep_for(10us);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture() {
    if (thread_.joinable()) end();
  }

  /// Ends the capture and runs the graph. Says what did not work.
  std::string end() {
    ending_ = true;
    thread_.join();
    return mistake_;
  }

 private:
  void run() {
    const cudaError_t begun = cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal);
    begun_ = true;
    while (!ending_) {
      launch_fill(static_cast<float*>(memory_.data()), captured_elements, 1, stream_);
      std::this_thread::sleep_for(200us);
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
    cudaGetLastError();
    mistake_ = text_of("cudaStreamBeginCapture", begun) + text_of("cudaStreamEndCapture", ended);
    if (mistake_.empty()) launch(graph);
  }

  void launch(cudaGraph_t graph) {
    cudaGraphExec_t executable = nullptr;
    require(cudaGraphInstantiateWithFlags(&executable, graph, 0), "cudaGraphInstantiateWithFlags");
    mistake_ = text_of("cudaGraphLaunch", cudaGraphLaunch(executable, stream_));
    mistake_ += text_of("cudaStreamSynchronize", cudaStreamSynchronize(stream_));
    require(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
    require(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }

  const DeviceMemory memory_;
  const Stream stream_;
  std::atomic<bool> begun_{false};
  std::atomic<bool> ending_{false};
  std::string mistake_;
  std::thread thread_;
};

Outcome capture_beside(const Job& job, bool first_call) {
  load_kernels();
  Outcome outcome;
  const DeviceMemory send(elements * sizeof(float));
  const DeviceMemory receive(elements * sizeof(float));
  Sum sum(job, send.data(), receive.data(), elements);
  if (!first_call) outcome.mistake = sum.settle();
  sum.fill();
  if (any_mistake(outcome.mistake)) return outcome;
  {
    // MPI's calls alone, and none of CUDA's in this thread, while the capture lasts.
    Capture capture(job.device);
    Deadline::doing("MPI_Allreduce while another thread captures a graph");
    for (int i = 0; i < calls; ++i) keep_first(outcome.mistake, sum.reduce());
    Deadline::doing("ending the capture");
    outcome.mistake += capture.end();
  }
  keep_first(outcome.mistake, sum.check());
  return outcome;
}

}  // namespace

Outcome capture(const Job& job) { return capture_beside(job, false); }

Outcome capture_first_call(const Job& job) { return capture_beside(job, true); }

}  // namespace airamp::gpu_tests
