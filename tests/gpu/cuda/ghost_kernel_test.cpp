// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/gpu/cuda/cuda_device.hpp"

namespace airamp::gpu::test {
namespace {

class GhostKernel : public testing::Test {
 protected:
  void SetUp() override {
    if (count_gpus() == 0) GTEST_SKIP() << "there is no GPU here";
  }

  /// Launches ghosts on a thread of its own, one after the other; the number of those that ended.
  static int launch_elsewhere(Queue* queue, int ghosts) {
    int ended = 0;
    std::thread([&] {
      const Backend& backend = OpenedDevice::backend();
      Error error;
      for (int i = 0; i < ghosts; ++i) {
        if (!backend.launch_ghost(queue, error)) return;
        Progress progress = Progress::running;
        while (progress == Progress::running) progress = backend.progress(queue, error);
        if (progress == Progress::done) ++ended;
      }
    }).join();
    return ended;
  }
};

/// A queue for ghosts, given back in the end.
class GhostQueue {
 public:
  explicit GhostQueue(const OpenedDevice& opened) {
    Error error;
    queue_ = OpenedDevice::backend().open_ghost_queue(opened.device(), error);
    check(queue_ != nullptr, error);
  }
  GhostQueue(const GhostQueue&) = delete;
  GhostQueue& operator=(const GhostQueue&) = delete;
  ~GhostQueue() { OpenedDevice::backend().close_queue(queue_); }
  Queue* get() const { return queue_; }

 private:
  Queue* queue_ = nullptr;
};

TEST_F(GhostKernel, EndsOnAThreadWithoutAContext) {
  const OpenedDevice opened(0);
  const GhostQueue queue(opened);
  EXPECT_EQ(launch_elsewhere(queue.get(), 100), 100);
}

TEST_F(GhostKernel, LeavesACaptureOfAnotherThreadAlone) {
  const OpenedDevice opened(0);
  const GhostQueue queue(opened);
  const DeviceMemory memory(1024);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_EQ(launch_elsewhere(queue.get(), 10), 10);
  check(cudaMemsetAsync(memory.data(), 0, 1024, stream));
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  std::size_t nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 1U);
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
}

TEST_F(GhostKernel, DoesNotWaitForTheDefaultStream) {
  // What waits in the default stream for the host cannot end before the ghosts have.
  const OpenedDevice opened(0);
  const GhostQueue queue(opened);
  std::atomic<bool> go = false;
  check(cudaLaunchHostFunc(
      nullptr,
      [](void* flag) {
        while (!static_cast<std::atomic<bool>*>(flag)->load()) std::this_thread::yield();
      },
      &go));
  EXPECT_EQ(launch_elsewhere(queue.get(), 10), 10);
  go = true;
  check(cudaDeviceSynchronize());
}

}  // namespace
}  // namespace airamp::gpu::test
