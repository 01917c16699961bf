// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::fake_gpu {

/// The ghost of a queue, if one is on its way. Not thread-safe.
class GhostRun {
 public:
  /// Ends the process if one is on its way already, or if the calling thread may be handed a signal.
  void start();

  bool is_running() const { return steps_left_ > 0; }
  /// Whether it is done now.
  bool step() { return --steps_left_ == 0; }

 private:
  int steps_left_ = 0;
};

}  // namespace airamp::fake_gpu
