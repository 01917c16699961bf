// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/algorithm/orders/ordered_reduction.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

namespace airamp::pmpi {

/// What the reductions of numbers have in common.
class SharedMemoryReduction : public SharedMemoryAlgorithm, protected OrderedReduction {
 public:
  /// For a reduction that reduce_by_tree knows. `comm`: the application's. Throws std::bad_alloc.
  SharedMemoryReduction(const CommunicatorResources& resources, MPI_Comm comm, Kind kind, const LocalFacts& facts);

  int execute(const CollectiveData& data) final;
  Reason why_called_off() const final { return why_called_off_; }
  bool promises_native_bits() const final { return !keeps_own_order(); }
  bool adds_in_own_order() const final { return keeps_own_order(); }
  Result<bool> prepare_trial(const CollectiveData& data) final { return confirm_order_of(data); }

 protected:
  /// A call whose order is known.
  virtual int carry(const CollectiveData& data) { return SharedMemoryAlgorithm::execute(data); }

  bool is_prepared(const CollectiveData& data) const final { return known_order(data) != nullptr; }

  /// Whether a vector of so many bytes is reduced as a whole by everyone who wants the result, not in parts: who reads
  /// all contributions to it waits longer for their lines than for one more meeting from a length on that falls with
  /// the number of ranks. (Of two ranks, each reads what the other has either way.)
  bool is_whole(std::size_t bytes) const {
    const auto others = static_cast<std::size_t>(group_.size()) - 1;
    return bytes <= HostMeeting::max_data_bytes || (bytes * (others - 1) <= 2048 && bytes <= 16384);
  }

  /// Where elements lie in vectors that the ranks have laid out as they are.
  struct Piece {
    std::size_t begin;     ///< bytes before them
    std::size_t elements;  ///< of each vector
    std::size_t bytes;     ///< of a vector, all of it
  };

  /// Reduces a piece of what was laid out at a turn, in a known order.
  void reduce_piece(const SummationTree& order, const Piece& piece, std::size_t turn, std::byte* result);

  /// Whole vectors of one chunk.
  void reduce_whole(const SummationTree& order, std::size_t elements, std::size_t turn, std::byte* result) {
    const Piece all{.begin = 0, .elements = elements, .bytes = elements * element_bytes()};
    reduce_piece(order, all, turn, result);
  }

  /// BriefExchange::takes where this rank reduces them for itself.
  static bool take_whole_briefly(const BriefExchange& exchange, const void* input, void* output);

  /// A call in chunks, each of which the ranks reduce in parts. There are three places for contributions, and three for
  /// results. Between two meetings a rank reduces a chunk. Once it has come to the next one, it reads the result of the
  /// chunk before and writes its contribution to the one after the next, while others are still at their parts: for the
  /// slowest of each chunk nobody waits longer than that takes. Nobody writes to what another rank may read
  /// (tests/protocol/chunks.pml). A call begins with an agreement, which is a meeting as well. False if a rank is gone.
  template <class Contribute, class ReducePart, class ReadResult>
  bool carry_chunks(std::size_t chunks, const Contribute& contribute, const ReducePart& reduce_part,
                    const ReadResult& read_result) {
    contribute(0);
    group_.arrive();
    if (chunks > 1) contribute(1);
    if (!group_.hear()) return false;
    for (std::size_t k = 0; k < chunks; ++k) {
      reduce_part(k);
      group_.arrive();
      if (k > 0) read_result(k - 1);
      if (k + 2 < chunks) contribute(k + 2);
      if (!group_.hear()) return false;
    }
    read_result(chunks - 1);
    return true;
  }

 private:
  Reason why_called_off_ = Reason::none;
};

}  // namespace airamp::pmpi
