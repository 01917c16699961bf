// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace airamp::gpu_tests {

/// Ends this process with a message unless it is destroyed in time: what hangs says where, and does not keep the GPUs.
class Deadline {
 public:
  Deadline(std::string name, int rank, std::chrono::seconds limit);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  /// What this rank is doing from now on, for the message. `what` must live on.
  static void doing(const char* what);

 private:
  void watch();

  std::string name_;
  int rank_;
  std::chrono::seconds limit_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace airamp::gpu_tests
