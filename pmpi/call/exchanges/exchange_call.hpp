// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// A call in which every rank has a block for every other one, of a length that the two alone know; some have none.
/// Nothing of the lengths enters a decision: the ranks tell each other along with the data.
class ExchangeCall : public CollectiveCall {
 public:
  ExchangeCall(MPI_Comm comm, bool large_count) : comm_(comm), large_count_(large_count) {}

  MPI_Comm communicator() const override { return comm_; }
  /// None that the ranks have in common.
  std::uint64_t bytes() const override { return 0; }
  std::uint64_t equal_arguments() const override { return 0; }
  bool opted_in() const override { return false; }
  bool waits_for_all() const override;
  LocalFacts facts(Wish wish) const override;
  CollectiveData data(const LocalFacts& facts) const override;

 protected:
  /// A block in this rank's memory: `count` elements of a type, of which only whole elements lie one behind the other.
  struct Part {
    const void* at = nullptr;
    std::int64_t count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;

    std::uint64_t bytes() const;
  };

  /// What this rank gives to another one, and takes from it. Of itself both are the same bytes in place.
  virtual Part sent_to(int rank) const = 0;
  virtual Part received_from(int rank) const = 0;

  /// Why the MPI library is to have the call, as far as the blocks do not say.
  virtual Reason obstacle() const = 0;

  /// Where element `displacement` of a buffer of dense elements is.
  static const void* element_at(const void* buffer, std::int64_t displacement, MPI_Datatype type);

  MPI_Comm comm_;
  bool large_count_;
};

}  // namespace airamp::pmpi
