// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/decide/buffer_location.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Whether the user asked for ghosts, and there may be GPUs for them.
inline bool ghosts_wanted() { return job().settings.enable_ghost_kernels && job().gpus; }

/// Follows one call from entry to return: stops the ghosts while it lasts, and has them launched before the next call
/// where that helps. Where nobody asked for ghosts it costs nothing.
class GhostWatch {
 public:
  /// `state`'s forecast must know of the call before this ends.
  explicit GhostWatch(CommunicatorState& state) : state_(state), watches_(ghosts_wanted()) {
    if (watches_) begin();
  }
  ~GhostWatch() {
    if (watches_) end();
  }
  GhostWatch(const GhostWatch&) = delete;
  GhostWatch& operator=(const GhostWatch&) = delete;

  /// Where the call's buffers are.
  void on(const BufferLocation& location) {
    if (location.memory == Memory::device) gpu_ = location.gpu;
  }

 private:
  void begin() noexcept;
  void end() noexcept;
  void open_window();

  CommunicatorState& state_;
  bool watches_;
  gpu::Location gpu_{};  ///< of the call's buffers, if they are on a GPU
  std::int64_t entered_ns_ = 0;
  double waited_seconds_ = 0;  ///< by the communicator's calls before
};

}  // namespace airamp::pmpi
