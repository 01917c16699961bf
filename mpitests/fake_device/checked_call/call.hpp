// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "mpitests/fake_device/checked_call/buffer.hpp"
#include "mpitests/real_device/element.hpp"

namespace airamp::device_tests {

using gpu_tests::Element;
using gpu_tests::Format;
using gpu_tests::Meaning;
using gpu_tests::Operation;
using gpu_tests::Vocabulary;

enum class Kind : std::uint8_t {
  allreduce,
  allgather,
  allgatherv,
  reduce_scatter_block,
  bcast,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  reduce_scatter,
  scan,
  exscan
};
/// Those that are carried from their first call on, in place too.
inline constexpr Kind every_kind[] = {Kind::allreduce, Kind::allgather, Kind::allgatherv, Kind::reduce_scatter_block,
                                      Kind::bcast,     Kind::alltoall};
inline constexpr int kinds = std::size(every_kind);

/// One collective. `count` in elements: of the vector; of one rank's result in reduce_scatter_block; of a block in the
/// gathers and exchanges, where allgatherv makes blocks of different sizes, with gaps, the last rank's first, and so do
/// alltoallv and alltoallw. reduce_scatter makes results of different sizes; in even rounds none is longer than rank
/// 0's.
struct Call {
  Kind kind = Kind::allreduce;
  const Element* element = nullptr;
  const Operation* operation = nullptr;  ///< of reductions
  std::size_t count = 0;
  bool in_place = false;
  int root = 0;
  int round = 0;  ///< draws other data

  bool exchanges() const { return kind == Kind::alltoall || kind == Kind::alltoallv || kind == Kind::alltoallw; }
  bool reduces() const { return kind == Kind::allreduce || kind == Kind::reduce_scatter_block || kind >= Kind::reduce; }
};

/// This rank's part in it: where the buffers lie, how many elements behind an aligned address, and how many bytes
/// behind that.
struct Placement {
  Place send = Place::device;
  Place receive = Place::device;
  std::size_t offset = 0;
  std::size_t send_bytes = 0;
  std::size_t receive_bytes = 0;
};

/// Calls MPI on `communicator` with whole numbers that no path can fail to reduce exactly, 8-bit floats included, and
/// requires every byte of the result to be right. Returns MPI's error code; the result is looked at only after
/// MPI_SUCCESS.
int run_exactly(const Call& call, MPI_Comm communicator, const Placement& placement);

/// The same, and requires success.
void run(const Call& call, MPI_Comm communicator, const Placement& placement = {});

/// The first element and operation of a format; sums.
Call sum_of(const Vocabulary& vocabulary, Format format, std::size_t count, int round);
Call call_of(const Vocabulary& vocabulary, Kind kind, Format format, std::size_t count, int round);

std::string describe(const Call& call);

}  // namespace airamp::device_tests
