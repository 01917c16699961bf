// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "benchmarks/airamp_bench/cuda/nccl.hpp"
#include "benchmarks/airamp_bench/values/element.hpp"
#include "memory.hpp"
#include "options.hpp"
#include "sample.hpp"

namespace airamp::benchmark {

/// How good a result is.
struct Quality {
  double error = 0.0;      ///< relative L2 error against the exact result in FP64; infinity if anything is not finite
  std::uint64_t hash = 0;  ///< of all of its bits
};

/// One collective call with its buffers: rank r contributes `bytes` bytes, or nearly as many where allgatherv lets the
/// ranks differ. Of reduce_scatter_block every rank gets `bytes` bytes, of reduce_scatter nearly as many, of bcast all
/// of them come from rank 0, of reduce they go to rank 0, of gather those of every rank, of scatter they come from
/// there, of alltoall every rank sends `bytes` bytes to each; a barrier has none.
class Call {
 public:
  Call(const Options& options, const Element& element, Memory& memory, std::size_t bytes, MPI_Comm communicator);

  /// Puts the input in place where it lies in the buffer of the result. Before every run.
  void prepare();

  /// Calls MPI once.
  void run();

  /// The same by NCCL, where the options allow it.
  void run(Nccl& nccl);

  /// Makes buffers like these of symmetric windows, for run_symmetric(). False on all ranks if there are none.
  /// Collective.
  bool open_windows(Nccl& nccl);

  /// The same by NCCL on its windows.
  void run_symmetric(Nccl& nccl);

  /// Looks at all bits of this rank's last result, and at a sample of a large one's values.
  Quality quality();

  /// Overwrites the result, so that one call's result cannot stand for another's.
  void clear_result();

  std::size_t count() const { return count_; }  ///< elements of the largest contribution, or block of one

 private:
  std::byte* own_block() const;  // this rank's contribution to a gather, in the result
  void fill_input();
  double exact(std::size_t index) const;
  void compare(const std::byte* chunk, std::size_t begin, std::size_t count);

  Collective collective_;
  Operation operation_;
  ElementType type_;
  bool in_place_;
  const Element& element_;
  Memory& memory_;
  MPI_Comm communicator_;
  int rank_ = 0;
  int ranks_ = 1;
  std::size_t count_;
  std::vector<int> counts_;           // elements of each rank
  std::vector<std::size_t> offsets_;  // of each rank's elements in the result
  std::vector<int> displacements_;
  std::size_t total_ = 0;
  Buffer send_;
  Buffer receive_;
  std::unique_ptr<NcclWindow> send_window_;
  std::unique_ptr<NcclWindow> receive_window_;
  std::byte* result_;         // the last call's, within receive_ or its window
  std::size_t result_count_;  // elements
  std::vector<Run> sample_;
  std::vector<double> expected_;  // of the sample's elements, computed once
  std::size_t next_run_ = 0;      // state of a comparison: where in sample_ and expected_ it is
  std::size_t next_value_ = 0;
  double difference_ = 0.0;
  double reference_ = 0.0;
};

}  // namespace airamp::benchmark
