// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/algorithm/orders/summation_tree.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/wire_scratch.hpp"
#include "pmpi/group/job_channel.hpp"
#include "pmpi/group/ring_messages.hpp"

namespace airamp::pmpi {

/// Allreduce, reduce and reduce_scatter_block over messages, with the bits that `reduction_order` promises wherever the
/// ranks are: every rank gets its share of the vector from all others and adds the contributions as
/// SharedMemoryReduction does; then it sends the sums to who is to have them. Short vectors go to all ranks at once,
/// each of which adds them. Long ones go in steps.
///
/// Messages leave from scratch and arrive there, so that after an error none is left that reads or writes the
/// application's buffers. Whatever can fail for want of memory fails in the constructor.
class OrderedMessages final : public Algorithm {
 public:
  /// Of a kind that has_one_order, with such a type and operation. `max_bytes`: of one call. `rank`: the own one, among
  /// those of `route`, of which two tags are this object's. Throws NoScratch or std::bad_alloc.
  OrderedMessages(Kind kind, const LocalFacts& facts, std::uint64_t max_bytes, std::shared_ptr<WireScratch> scratch,
                  MessageRoute route, int rank);

  /// Collective. Returns an MPI error code.
  int execute(const CollectiveData& data) override;

  bool adds_in_own_order() const override { return true; }
  std::uint64_t sent_bytes() const override { return sent_bytes_; }

 private:
  /// What goes at once: a piece of the vector, or of every block, in one share for each rank, one behind the other.
  struct Step {
    std::size_t begin = 0;        ///< in the vector; of a reduce_scatter_block in each block
    std::size_t bytes = 0;        ///< of all shares
    std::size_t share_bytes = 0;  ///< of all but the last one, behind which there may be empty ones
    int first_owner = 0;          ///< of the first share; the next rank has the next one
    bool whole = false;           ///< every rank has all of it for its share
  };

  Step step_at(const CollectiveData& data, std::size_t begin) const;
  std::span<std::byte> share(std::byte* region, const Step& step, int rank) const;
  std::byte* contribution_of(int rank, const Step& step) const;
  int carry(const CollectiveData& data, const Step& step);
  void lay_out(const CollectiveData& data, const Step& step) const;
  void add(const Step& step);
  int hand_out(const CollectiveData& data, const Step& step);
  void take(const CollectiveData& data, const Step& step) const;

  Kind kind_;
  DataType type_;
  ReduceOp op_;
  bool sums_exactly_;
  std::size_t element_bytes_;
  int rank_;
  int size_;
  std::size_t largest_share_;
  std::size_t region_bytes_;
  std::shared_ptr<WireScratch> scratch_;
  int tag_;  ///< of contributions; sums have the next one
  RingMessages messages_;
  SummationTree tree_;
  std::vector<std::byte> places_;                ///< for sums that wait for others
  std::vector<const std::byte*> contributions_;  ///< to one share, by rank
  std::byte* own_ = nullptr;       ///< what this rank gives to each share; here and below, regions of the scratch
  std::byte* received_ = nullptr;  ///< what the others give to this rank's share
  std::byte* sums_ = nullptr;      ///< of all shares
  std::uint64_t sent_bytes_ = 0;
};

}  // namespace airamp::pmpi
