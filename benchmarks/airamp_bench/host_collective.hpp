// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "testing/mpi_functions.hpp"

namespace airamp::benchmark {

/// Elements of one number each, as long as MPI is up.
class Numbers {
 public:
  /// `with_holes`: each has one behind it that is as long.
  explicit Numbers(bool with_holes);
  ~Numbers();
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;

  MPI_Datatype type() const { return type_; }
  /// Of memory, in numbers.
  int extent() const { return extent_; }

 private:
  MPI_Datatype type_ = MPI_DOUBLE;
  int extent_ = 1;
};

/// A collective of FP64 on host memory over MPI_COMM_WORLD, as it is called with the functions of either side. The root
/// is rank 0, the operation of a reduction MPI_SUM.
class HostCollective {
 public:
  /// Has room for a block of every rank.
  using Buffer = std::vector<double>;

  /// What a function is called with. Those that take arrays get one of the same length for every rank.
  struct Arguments {
    int count;
    MPI_Datatype type;
    std::vector<int> counts;
    std::vector<int> places;       ///< in elements
    std::vector<int> byte_places;  ///< in bytes, as MPI_Alltoallw takes them
    std::vector<MPI_Datatype> types;
    const double* input;
    double* output;
    MPI_Request* request;  ///< of a nonblocking one
  };
  using Function = void (*)(const testing::MpiFunctions& mpi, const Arguments& arguments);

  /// The names of all of them.
  static std::vector<std::string> names();

  /// Whether calls of that name have data.
  static bool has_data(const std::string& name);

  /// Whether they move numbers, and do nothing else with them.
  static bool moves(const std::string& name);

  /// One of these, of `count` elements in a rank's vector or block, with holes if it moves them alone. Throws
  /// std::invalid_argument for any other name.
  HostCollective(const std::string& name, int count, int ranks, const Numbers& numbers);

  bool is_nonblocking() const { return nonblocking_; }

  /// The call from its begin to its end.
  void call(const testing::MpiFunctions& mpi, const Buffer& input, Buffer& output);

  /// Of a nonblocking one what comes before the wait for `request`; others are complete when it returns.
  void start(const testing::MpiFunctions& mpi, const Buffer& input, Buffer& output, MPI_Request* request);

 private:
  Function function_;
  bool nonblocking_;
  Arguments arguments_;
};

}  // namespace airamp::benchmark
