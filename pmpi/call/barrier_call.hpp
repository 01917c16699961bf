// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

/// MPI_Barrier: no data, and no length that would say that there is nothing to do.
class BarrierCall final : public CollectiveCall {
 public:
  explicit BarrierCall(MPI_Comm comm) : comm_(comm) {}

  Kind kind() const override { return Kind::barrier; }
  Function function() const override { return Function::MPI_Barrier; }
  MPI_Comm communicator() const override { return comm_; }
  std::uint64_t bytes() const override { return 0; }
  std::uint64_t equal_arguments() const override { return 0; }
  std::optional<CallArguments> arguments() const override { return CallArguments{.kind = kind()}; }
  bool opted_in() const override { return false; }
  Buffers buffers() const override { return {}; }
  LocalFacts facts(Wish wish) const override { return {.lossless = wish.lossless, .why = wish.no_compression}; }
  int run_native() const override { return native().MPI_Barrier(comm_); }
  CollectiveData data(const LocalFacts& /*facts*/) const override { return {.blocks = {}, .outputs = 0}; }

 private:
  MPI_Comm comm_;
};

}  // namespace airamp::pmpi
