// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace airamp::laws {

/// FP16 as codes bring it to MPI: two contiguous bytes and a user-defined sum. To be freed before MPI_Finalize.
class HalfSum {
 public:
  /// Whether the datatype says by its name what it holds; else its gathers are not compressed.
  enum class Name : std::uint8_t { none, float16 };

  explicit HalfSum(Name name = Name::float16);
  ~HalfSum();
  HalfSum(const HalfSum&) = delete;
  HalfSum& operator=(const HalfSum&) = delete;

  MPI_Datatype type() const { return type_; }
  MPI_Op op() const { return op_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
};

/// FP16 numbers of rank `rank` for the `round`-th call: whole numbers below 500, whose sums over four ranks FP16 holds
/// exactly but an 8-bit float does not.
std::vector<std::uint16_t> halves(std::size_t count, int rank, int round);

/// Relative L2 distance of `got` from the exact sum of halves(..., r, round) over r = 0 ... ranks - 1; 0 if it is
/// exact.
double error_of_sum(const std::vector<std::uint16_t>& got, int ranks, int round);

/// The same of a gathered vector.
double error_of_gather(const std::vector<std::uint16_t>& got, int ranks, int round);

/// Two quantisations of this data to mxfp8-e4m3 (each 2^-4 at most, about 0.026 in the mean) stay well below this.
inline constexpr double compressed_error = 0.06;

/// Ends the job with a message on stderr if `right` does not hold.
void require(bool right, const char* what);

/// Allreduce of `count` halves on `communicator`; requires the result to be right within compressed_error.
/// Returns the error.
double sum_halves(const HalfSum& half, MPI_Comm communicator, std::size_t count, int round);

}  // namespace airamp::laws
