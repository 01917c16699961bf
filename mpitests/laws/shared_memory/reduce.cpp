// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_reduce: reductions to every root through the memory of the host have every bit of the MPI library's own
// results; those of whole numbers are right as well.
#include <cstdint>
#include <cstring>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"
#include "mpitests/laws/shared_memory/sums_of_ranks.hpp"

namespace airamp::laws {
namespace {

struct Reduction {
  MPI_Datatype type;
  MPI_Op op;
  int root;
  MPI_Comm communicator;
};

template <class T>
bool equal(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Nobody but the root has a buffer for the result.
template <class T>
std::vector<T> reduce(const Reduction& how, const std::vector<T>& in, bool in_place) {
  const auto [type, op, root, communicator] = how;
  const int count = static_cast<int>(in.size());
  if (rank_in(communicator) != root) {
    MPI_Reduce(in.data(), nullptr, count, type, op, root, communicator);
    return {};
  }
  std::vector<T> out = in_place ? in : std::vector<T>(in.size());
  MPI_Reduce(in_place ? MPI_IN_PLACE : in.data(), out.data(), count, type, op, root, communicator);
  return out;
}

template <class T>
void compare(const Reduction& how, std::size_t count) {
  static unsigned call = 0;
  if (!has_native_bits<T>(how.op)) return;
  const int rank = rank_in(how.communicator);
  const std::vector<T> in = numbers_of<T>(rank, ++call, count, how.op);
  MPI_Pcontrol(0);
  MPI_Barrier(how.communicator);  // so that all ranks hear of it
  const std::vector<T> native = reduce(how, in, false);
  MPI_Pcontrol(1);
  for (const bool in_place : {false, library_reduces_in_place(how.root), false}) {
    require(equal(reduce(how, in, in_place), native), "every bit of the native result, at the root alone");
  }
  if constexpr (std::is_integral_v<T>) {
    if (rank == how.root && follows_arithmetic<T>(how.op)) {
      require(native == reduction_of<T>(size_of(how.communicator), call, count, how.op), "whole numbers");
    }
  }
}

template <class T>
void compare_all(MPI_Datatype type, MPI_Comm communicator) {
  for (const int root : {0, size_of(communicator) - 1}) {
    for (const std::size_t count : {0U, 1U, 511U, 1024U, 1025U, 40009U, 300007U}) {
      for (const MPI_Op op : {MPI_SUM, MPI_MAX}) compare<T>({type, op, root, communicator}, count);
    }
    for (const MPI_Op op : {MPI_PROD, MPI_MIN}) compare<T>({type, op, root, communicator}, 700);
  }
}

/// Only predefined operations are carried.
void own_operation(MPI_Comm communicator) {
  MPI_Op op = MPI_OP_NULL;
  const auto add = [](void* in, void* inout, int* length, MPI_Datatype*) {
    for (int i = 0; i < *length; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
  };
  MPI_Op_create(add, 1, &op);
  const int one = 1;
  int sum = 0;
  for (int root = 0; root < size_of(communicator); ++root) {
    MPI_Reduce(&one, &sum, 1, MPI_INT, op, root, communicator);
    if (rank_in(communicator) == root) require(sum == size_of(communicator), "a user-defined sum");
  }
  MPI_Op_free(&op);
}

}  // namespace

void run() {
  on_communicators([](MPI_Comm communicator) {
    compare_all<double>(MPI_DOUBLE, communicator);
    compare_all<float>(MPI_FLOAT, communicator);
    compare_all<std::int32_t>(MPI_INT32_T, communicator);
    compare_all<std::uint64_t>(MPI_UINT64_T, communicator);
    own_operation(communicator);
  });
  for (int i = 0; i < 200; ++i) {
    compare<double>({MPI_DOUBLE, MPI_SUM, i % size_of(MPI_COMM_WORLD), MPI_COMM_WORLD},
                    static_cast<std::size_t>(i % 5));
  }
}

}  // namespace airamp::laws
