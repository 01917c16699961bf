// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "pmpi/device/on_gpu.hpp"
#include "pmpi/group/host/started_vectors.hpp"

namespace airamp::pmpi {

/// This rank's vector and where its result goes; the same number of bytes each.
struct StartBuffers {
  const void* input = nullptr;
  std::byte* output = nullptr;
  std::size_t bytes = 0;
  OnGpu input_on{};
  OnGpu output_on{};
};

/// How the vectors of starts of one form go from rank to rank, and what becomes of them. Where a rank's buffers lie is
/// its own affair: it brings its vector to where all can read it, and the result from there.
class StartCarrier {
 public:
  StartCarrier() = default;
  virtual ~StartCarrier() = default;
  StartCarrier(const StartCarrier&) = delete;
  StartCarrier& operator=(const StartCarrier&) = delete;

  /// Whether this rank wants calls on such buffers to be carried, should it be the one to decide.
  virtual bool wants(const StartBuffers& buffers) const noexcept = 0;

  /// Leaves this rank's vector for the others. `number`: of the start; `place`: this rank's of a StartRing. False if it
  /// cannot be brought there: the start then ends with MPI_ERR_BUFFER on this rank, and the others get what they can.
  virtual bool give(const StartBuffers& buffers, std::uint64_t number, std::byte* place) noexcept = 0;

  /// Makes the result, once all ranks have left theirs. `vectors`: what they have left in their places. Returns an MPI
  /// error code that nobody has raised. By one thread of a communicator's at a time, which may be another one.
  virtual int deliver(const StartBuffers& buffers, std::uint64_t number, const StartedVectors& vectors) noexcept = 0;
};

}  // namespace airamp::pmpi
