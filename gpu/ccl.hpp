// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Collectives through the collective communication library (CCL) that a site has for its GPUs: NCCL or RCCL.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "gpu/peer/collective.hpp"

namespace airamp::gpu {

/// What a process tells the others before they open a communicator of the library together. Plain bytes that may be
/// sent.
struct CclSite {
  std::int32_t version = 0;       ///< of the library; the same on all ranks, or they must not open one
  std::array<char, 20> bus_id{};  ///< of the GPU, within its host; two ranks of one GPU must not open one either
};

/// Names a communicator of the library; plain bytes that may be sent.
struct CclId {
  std::array<std::byte, 128> bytes{};
  auto operator<=>(const CclId&) const = default;
};

/// One collective, as one rank starts it. All but the buffers is equal on all ranks.
struct CclCollective {
  Pattern pattern = Pattern::allreduce;  ///< allreduce, reduce_scatter_block, allgather or bcast
  DataType type = DataType::float32;
  ReduceOp op = ReduceOp::sum;  ///< allreduce and reduce_scatter_block
  int root = 0;                 ///< bcast

  /// allreduce, bcast: of the vector. reduce_scatter_block: of one rank's result. allgather: of each rank's block.
  std::uint64_t elements = 0;

  const void* input = nullptr;  ///< device memory of any alignment; may be the output (allgather: or its own block)
  void* output = nullptr;       ///< device memory of any alignment. bcast: the buffer, on the root as well
};

}  // namespace airamp::gpu
