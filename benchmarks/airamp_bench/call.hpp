// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "element.hpp"
#include "options.hpp"

namespace airamp::benchmark {

/// One collective call with its buffers: rank r contributes `bytes` bytes, or nearly as many where allgatherv lets the
/// ranks differ.
class Call {
 public:
  Call(const Options& options, const Element& element, std::size_t bytes, MPI_Comm communicator);

  /// Calls MPI once.
  void run();

  /// Relative L2 error of this rank's result against the exact result of the inputs in FP64.
  double relative_error() const;

  /// A hash of the bits of this rank's result.
  std::uint64_t result_hash() const;

  /// Overwrites the result, so that one call's result cannot stand for another's.
  void clear_result();

  std::size_t count() const { return count_; }  ///< elements of the largest contribution

 private:
  double exact(std::size_t index) const;

  Collective collective_;
  Operation operation_;
  const Element& element_;
  MPI_Comm communicator_;
  int rank_ = 0;
  int ranks_ = 1;
  std::size_t count_;
  std::vector<int> counts_;         // elements of each rank
  std::vector<int> displacements_;  // of each rank's elements in the result
  std::vector<unsigned char> send_;
  std::vector<unsigned char> receive_;
};

}  // namespace airamp::benchmark
