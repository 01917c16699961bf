// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/decide/call.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Whether the user asked for ghosts, and there may be GPUs for them.
inline bool ghosts_wanted() { return job().gpus && job().settings.enable_ghost_kernels; }

/// Follows one call from entry to return: stops the ghosts while it lasts, and has them launched before the next call
/// where that helps. Where nobody asked for ghosts it costs nothing.
class GhostWatch {
 public:
  /// The forecast of the call's communicator must know of the call before this ends.
  explicit GhostWatch(const Call& call) : call_(call), watches_(ghosts_wanted()) {
    if (watches_) begin();
  }
  ~GhostWatch() {
    if (watches_) end();
  }
  GhostWatch(const GhostWatch&) = delete;
  GhostWatch& operator=(const GhostWatch&) = delete;

 private:
  void begin() noexcept;
  void end() noexcept;
  void open_window();

  const Call& call_;
  bool watches_;
  std::int64_t entered_ns_ = 0;
  double waited_seconds_ = 0;  ///< by the communicator's calls before
};

}  // namespace airamp::pmpi
