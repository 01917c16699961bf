// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_reduce_scatter_block: results of MPI_Reduce_scatter_block through the memory of the host have every bit
// of the MPI library's own; those of whole numbers are right as well.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/laws/shared_memory/sums_of_ranks.hpp"

namespace airamp::laws {
namespace {

/// This rank's block. In place, the rest of the vector is what it was or anything.
template <class T>
std::vector<T> reduce(const std::vector<T>& in, std::size_t count, MPI_Datatype type, MPI_Op op, bool in_place,
                      MPI_Comm communicator) {
  std::vector<T> out = in_place ? in : std::vector<T>(count);
  MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : in.data(), out.data(), static_cast<int>(count), type, op,
                           communicator);
  out.resize(count);
  return out;
}

template <class T>
void compare(MPI_Datatype type, MPI_Op op, std::size_t count, MPI_Comm communicator) {
  static unsigned call = 0;
  if (!has_native_bits<T>(op)) return;
  const auto rank = static_cast<std::size_t>(rank_in(communicator));
  const std::size_t all = count * static_cast<std::size_t>(size_of(communicator));
  const std::vector<T> in = numbers_of<T>(rank_in(communicator), ++call, all, op);
  MPI_Pcontrol(0);
  const std::vector<T> native = reduce(in, count, type, op, false, communicator);
  MPI_Pcontrol(1);
  for (const bool in_place : {false, true, false}) {
    const std::vector<T> seen = reduce(in, count, type, op, in_place, communicator);
    require(count == 0 || std::memcmp(seen.data(), native.data(), count * sizeof(T)) == 0,
            "every bit of the native block");
  }
  if constexpr (std::is_integral_v<T>) {
    const std::vector<T> whole = reduction_of<T>(size_of(communicator), call, all, op);
    const auto own = whole.begin() + static_cast<std::ptrdiff_t>(rank * count);
    require(!follows_arithmetic<T>(op) || std::equal(native.begin(), native.end(), own), "whole numbers");
  }
}

template <class T>
void compare_all(MPI_Datatype type, MPI_Comm communicator) {
  for (const std::size_t count : {0U, 1U, 100U, 257U, 1025U, 16384U, 60001U}) {
    for (const MPI_Op op : {MPI_SUM, MPI_MAX}) compare<T>(type, op, count, communicator);
  }
  for (const MPI_Op op : {MPI_PROD, MPI_MIN}) compare<T>(type, op, 70, communicator);
}

}  // namespace

void run() {
  on_communicators([](MPI_Comm communicator) {
    compare_all<double>(MPI_DOUBLE, communicator);
    compare_all<float>(MPI_FLOAT, communicator);
    compare_all<std::int32_t>(MPI_INT32_T, communicator);
    compare_all<std::uint64_t>(MPI_UINT64_T, communicator);
  });
  for (int i = 0; i < 200; ++i) compare<double>(MPI_DOUBLE, MPI_SUM, static_cast<std::size_t>(i % 5), MPI_COMM_WORLD);
}

}  // namespace airamp::laws
