// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "mpitests/faults/memory.hpp"
#include "mpitests/laws/halves.hpp"

namespace airamp::faults {

/// Rounds after which AIRamp has learnt the calls and decided on them.
inline constexpr int enough_rounds = 60;

/// Collectives of several kinds, types and lengths whose results are known, whichever way they take: every number of
/// theirs is one that an 8-bit float holds, and so is every sum. All memory is taken at the beginning.
class Work {
 public:
  explicit Work(MPI_Comm communicator);

  /// One round. Returns the first error; where there is none, requires the results to be right.
  int round(int number);

  /// Rounds 0 ... rounds - 1, requires that there is no error.
  void rounds(int rounds);

 private:
  int sum_of_integers(int length, int number);
  int sum_of_numbers(int length, int number);
  int sum_of_halves(int length, int number);
  int bcast(int length, int number);
  int allgather(int length, int number);
  int reduce(int length, int number);

  MPI_Comm communicator_;
  int rank_ = 0;
  int ranks_ = 0;
  Memory send_;
  Memory receive_;
  laws::HalfSum half_;
};

}  // namespace airamp::faults
