// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "gpu/codec.hpp"
#include "pmpi/algorithm.hpp"
#include "pmpi/functions.hpp"
#include "pmpi/mpi.hpp"
#include "pmpi/private_communicator.hpp"
#include "pmpi/result_error.hpp"

namespace airamp::pmpi {

/// The collectives that AIRamp accelerates.
enum class Kind : std::uint8_t { allreduce, allgather, allgatherv };

/// What this rank alone can say of a call. An input to agreements, never a decision.
struct View {
  bool eligible = false;
  gpu::ElementType element = gpu::ElementType::float16;
  gpu::ReduceOp op = gpu::ReduceOp::sum;
  std::string_view element_name;  ///< for the report
  std::string_view op_name;       ///< for the report
  std::string_view why;           ///< why not eligible
};

/// Which ranks an algorithm is made for.
struct Group {
  PrivateCommunicator& communicator;
  int rank;
  int size;
};

/// One call of a collective that may be accelerated: its arguments behind one interface.
class CollectiveCall {
 public:
  virtual ~CollectiveCall() = default;

  virtual Kind kind() const = 0;
  virtual Function function() const = 0;
  virtual MPI_Comm communicator() const = 0;

  /// Bytes that decide on eligibility and size bucket; equal on all ranks by the rules of MPI.
  virtual std::uint64_t bytes() const = 0;

  /// What else of the arguments MPI wants equal on all ranks, as a number: calls that differ in it are agreed on apart
  /// from each other.
  virtual std::uint64_t equal_arguments() const = 0;

  /// What this rank knows of the data. May call a user-defined operation (op probing).
  virtual View view() const = 0;

  virtual int run_native() const = 0;

  /// Local; throws std::bad_alloc. `tag` and `tag` + 1 are the algorithm's.
  virtual std::unique_ptr<Algorithm> make_algorithm(const View& view, const Group& group, int tag) const = 0;

  /// Collective; to the application's receive buffer.
  virtual int run(Algorithm& algorithm) const = 0;

  /// Bytes of scratch that run_to_scratch fills.
  virtual std::size_t scratch_bytes() const = 0;

  /// Collective; leaves the application's buffers as they are.
  virtual int run_to_scratch(Algorithm& algorithm, std::byte* scratch) const = 0;

  /// Compares the native result, which is in the application's receive buffer, with the one in `scratch`.
  virtual ResultError compare(const View& view, const std::byte* scratch) const = 0;
};

}  // namespace airamp::pmpi
