// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/backend.hpp"
#include "pmpi/mpi/spin.hpp"

namespace airamp::pmpi {

/// Waits for what was started on a queue. `go_on` is called every so often, and false ends the waiting. Returns done or
/// failed (`error` says why), or running if the waiting was ended.
template <class GoOn>
gpu::Progress wait_for(const gpu::Backend& backend, gpu::Queue* queue, gpu::Error& error, const GoOn& go_on) {
  Spin spin;
  gpu::Progress progress = backend.progress(queue, error);
  while (progress == gpu::Progress::running) {
    if (spin.once() && !go_on()) break;
    progress = backend.progress(queue, error);
  }
  return progress;
}

}  // namespace airamp::pmpi
