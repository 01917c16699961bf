// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/collective_call.hpp"

namespace airamp::pmpi {

/// MPI_Allreduce and MPI_Allreduce_c.
class AllreduceCall final : public CollectiveCall {
 public:
  AllreduceCall(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                bool large_count)
      : sendbuf_(sendbuf),
        recvbuf_(recvbuf),
        count_(count),
        datatype_(datatype),
        op_(op),
        comm_(comm),
        large_count_(large_count) {}

  Kind kind() const override { return Kind::allreduce; }
  Function function() const override { return large_count_ ? Function::MPI_Allreduce_c : Function::MPI_Allreduce; }
  MPI_Comm communicator() const override { return comm_; }
  std::uint64_t bytes() const override;
  std::uint64_t equal_arguments() const override;
  View view() const override;
  int run_native() const override;
  std::unique_ptr<Algorithm> make_algorithm(const View& view, const Group& group, int tag) const override;
  int run(Algorithm& algorithm) const override;
  std::size_t scratch_bytes() const override { return bytes(); }
  int run_to_scratch(Algorithm& algorithm, std::byte* scratch) const override;
  ResultError compare(const View& view, const std::byte* scratch) const override;

 private:
  const void* input() const;

  const void* sendbuf_;
  void* recvbuf_;
  MPI_Count count_;
  MPI_Datatype datatype_;
  MPI_Op op_;
  MPI_Comm comm_;
  bool large_count_;
};

}  // namespace airamp::pmpi
