// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/group/host/running_starts.hpp"
#include "pmpi/group/made.hpp"
#include "pmpi/group/memory/shared_segment.hpp"
#include "pmpi/group/peer_group.hpp"
#include "pmpi/job/mapped_memory.hpp"

namespace airamp::pmpi {

/// Vectors that every rank of a PeerGroup leaves for all others in its GPU's scratch memory, when it starts a
/// collective. Who completes it reads all of them with a kernel that waits for nobody. RunningStarts says, in memory of
/// the host, which are there.
class PeerStarts {
 public:
  /// Of one vector, where there is memory; at least `least_bytes`.
  static constexpr std::size_t most_bytes = 256U << 10U;
  static constexpr std::size_t least_bytes = 64U << 10U;

  /// Collective over `comm`, whose ranks are those of `peers`. Empty unless all ranks could. Throws std::bad_alloc.
  /// What the last owner lets go of is given back once no rank reads it any more.
  static Result<Made<std::shared_ptr<PeerStarts>>> create(MPI_Comm comm, std::shared_ptr<PeerGroup> peers);
  ~PeerStarts();
  PeerStarts(const PeerStarts&) = delete;
  PeerStarts& operator=(const PeerStarts&) = delete;

  RunningStarts& starts() { return *starts_; }
  GpuDevice& device() { return peers_->device(); }
  std::size_t ranks() const { return static_cast<std::size_t>(peers_->size()); }

  /// Bytes of the longest vector that it takes; the same on all ranks.
  std::size_t max_bytes() const { return slot_bytes_; }

  /// Brings this rank's vector of start `number` to where all read it, from anywhere. Waits for the application's
  /// default stream. False if that failed.
  bool give(std::uint64_t number, const StartBuffers& buffers);

  /// Reduces all ranks' vectors of start `number` in the order of the ranks. Where the result lies on the host, until
  /// the next call; nullptr if the GPU has failed. Where the application's kernels leave no room it is the host that
  /// reduces: the program may be waiting for this result before it ends them.
  const std::byte* reduce(std::uint64_t number, DataType type, ReduceOp op, std::size_t elements);

  /// Brings a result to the rank's buffer. False if that failed.
  bool deliver(const std::byte* result, const StartBuffers& buffers);

  /// In MPI_Finalize, once all ranks are there: gives back what could not be given back before.
  static void release_all();

 private:
  PeerStarts(std::shared_ptr<PeerGroup> peers, std::unique_ptr<PeerRegion> region);
  static void retire(PeerStarts* starts) noexcept;
  template <class Condition>
  static void release_if(const Condition& condition);
  bool is_released() const noexcept { return starts_->are_all_done() || !peers_->device().is_alive(); }
  std::byte* slot(int rank, std::uint64_t number) const;
  std::byte* passage() const { return pinned_; }
  std::byte* result() const { return pinned_ + slot_bytes_; }
  bool is_idle();
  const std::byte* reduce_on_host(std::uint64_t number, DataType type, ReduceOp op, std::size_t elements);

  std::shared_ptr<PeerGroup> peers_;
  std::unique_ptr<PeerRegion> region_;
  std::size_t slot_bytes_;
  gpu::Queue* queue_ = nullptr;
  std::byte* pinned_ = nullptr;  ///< on the host: a vector on its way to the GPU, and the result of a kernel
  bool runs_ = false;            ///< a kernel that was not waited for to its end
  SharedSegment segment_;
  std::optional<RunningStarts> starts_;
  MappedMemory on_host_;  ///< all ranks' vectors, and their result, where a GPU has no room
};

}  // namespace airamp::pmpi
