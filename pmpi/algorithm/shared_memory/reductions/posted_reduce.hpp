// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pmpi/algorithm/abilities/posted_exchange.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/algorithm/orders/ordered_reduction.hpp"
#include "pmpi/group/communicator_resources.hpp"
#include "pmpi/group/job_channel.hpp"

namespace airamp::pmpi {

/// Short reduce to a root: every other rank leaves its contribution in memory that the ranks share, and goes on; where
/// there is no room, it sends it as the MPI library would. The root reduces them in the order of its sums.
class PostedReduce final : public Algorithm, public PostedExchange, private OrderedReduction {
 public:
  /// Whether vectors of up to so many bytes have room, and do not keep the root behind the others, which reads what
  /// all have left for it one after the other: of 1 KiB that takes 4.5 us on 32 ranks, where ranks that meet and reduce
  /// in parts take 3.9.
  static constexpr bool is_for(std::uint64_t max_bytes, int ranks) {
    constexpr std::uint64_t too_much_for_a_root = std::uint64_t{16} << 10U;
    return max_bytes <= ContributionRing::max_bytes &&
           max_bytes * static_cast<std::uint64_t>(ranks) < too_much_for_a_root;
  }

  /// On a communicator whose group has a ring for contributions, of a reduction that reduce_by_tree knows; for at most
  /// `max_bytes` bytes, which it must be for. `comm`: the application's. `route`: for messages. Throws std::bad_alloc.
  PostedReduce(const CommunicatorResources& resources, MPI_Comm comm, const LocalFacts& facts, std::size_t max_bytes,
               MessageRoute route);

  /// Right after a meeting of the ranks.
  int execute(const CollectiveData& data) override;
  Reason why_called_off() const override { return why_called_off_; }
  bool promises_native_bits() const override { return !keeps_own_order(); }
  bool adds_in_own_order() const override { return keeps_own_order(); }
  Result<bool> prepare_trial(const CollectiveData& data) override { return confirm_order_of(data); }
  bool goes_unasked() const override { return true; }
  PostedExchange* posted_exchange() override { return this; }

  bool may_be_posted(const CollectiveData& data) const override { return known_order(data) != nullptr; }
  std::optional<int> post(const CollectiveData& data) override;
  BriefPost brief_post(const CollectiveData& data) override;
  std::optional<int> end_brief_post(const CollectiveData& data) override;

 private:
  std::size_t bytes_of(const CollectiveData& data) const { return data.elements * element_bytes(); }
  int leave(const CollectiveData& data);
  std::optional<int> take(const CollectiveData& data);
  std::optional<int> receive_from_others(std::size_t bytes);
  bool take_own(const CollectiveData& data);
  /// Of contributions that all lie in the ring; nullptr: their order wants more than that.
  ShortReduction brief_reduction_of(const CollectiveData& data) const;

  HostGroup& group_;
  ContributionRing& ring_;
  std::size_t place_bytes_;  ///< for `max_bytes`, up to where elements of all types may begin
  MessageRoute route_;
  std::vector<std::byte> received_;              ///< a place for each rank: what did not come through the ring
  std::vector<const std::byte*> contributions_;  ///< to the present call, by rank
  bool all_in_ring_ = false;
  Reason why_called_off_ = Reason::none;
};

}  // namespace airamp::pmpi
