// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/orders/nested_order.hpp"
#include "pmpi/algorithm/orders/ordered_reduction.hpp"
#include "pmpi/group/job_channel.hpp"
#include "pmpi/group/levels/host_grid.hpp"
#include "pmpi/group/ring_messages.hpp"

namespace airamp::pmpi {

/// Allreduce of host buffers on several hosts, chunk by chunk: the ranks of each host lay out their contributions in
/// memory that they share, and each of them reduces its part; the ranks of the same place on every host exchange what
/// has come of their parts, and reduce that; the ranks of each host read the results of the others. So each byte
/// leaves a host once for each other host, or twice if there are many, and not once for each of its ranks. In the MPI
/// library's own order of additions, where that adds the ranks of each host before hosts.
class HostTwoLevelAllreduce final : public Algorithm, OrderedReduction {
 public:
  /// `comm`: the application's. `route`: to its ranks. Throws std::bad_alloc.
  HostTwoLevelAllreduce(HostGrid& grid, MPI_Comm comm, int rank, const LocalFacts& facts, const MessageRoute& route);

  int execute(const CollectiveData& data) override;
  Reason why_called_off() const override { return why_called_off_; }
  bool promises_native_bits() const override { return !keeps_own_order(); }
  bool adds_in_own_order() const override { return keeps_own_order(); }
  bool warms_up() const override { return true; }
  Result<bool> prepare_trial(const CollectiveData& data) override;
  std::uint64_t sent_bytes() const override { return sent_bytes_; }

 private:
  struct Whole {
    const CollectiveData& data;
    std::size_t bytes;
    const NestedOrder& order;
  };

  const NestedOrder* order_of(const CollectiveData& data);
  int carry(const Whole& call);
  int carry_in_chunks(const Whole& call);
  void contribute(const Whole& call, std::size_t chunk) const;
  void read_result(const Whole& call, std::size_t chunk) const;
  void reduce_on_host(const Whole& call, std::size_t chunk, const Chunk& part);
  int reduce_between_hosts(const Whole& call, std::size_t chunk, const Chunk& part);
  void reduce_contributions(const Whole& call, std::size_t begin, std::size_t bytes, std::byte* result);
  Chunk chunk_at(const Whole& call, std::size_t chunk) const;
  std::byte* received_from(int host) { return received_.data() + static_cast<std::size_t>(host) * part_bytes_; }

  HostGrid& grid_;
  HostGroup& host_;
  ReduceOp op_;
  bool by_host_;                            ///< the MPI library's order is wanted; else any will do
  std::optional<SummationTree> nested_of_;  ///< what `nested_` was made of
  std::optional<NestedOrder> nested_;       ///< empty: it does not add by host
  Reason why_called_off_ = Reason::none;
  std::uint64_t sent_bytes_ = 0;
  std::size_t part_bytes_;                       ///< of a chunk, at most
  std::vector<std::byte> sums_;                  ///< of this rank's part, of its host
  std::vector<std::byte> received_;              ///< the same, of each host
  std::vector<std::byte> scratch_;               ///< of either order
  std::vector<const std::byte*> contributions_;  ///< of one step, by rank or host
  int tag_;                                      ///< of hosts' sums; results have the next one
  RingMessages messages_;                        ///< of the rail; last: they end before the memory
};

}  // namespace airamp::pmpi
