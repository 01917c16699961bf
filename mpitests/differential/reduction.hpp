// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "testing/mpi_functions.hpp"

namespace airamp::differential {

enum class Function : std::uint8_t { allreduce, reduce, reduce_scatter_block, reduce_scatter, scan, exscan };
inline constexpr std::array function_names = {"MPI_Allreduce",      "MPI_Reduce", "MPI_Reduce_scatter_block",
                                              "MPI_Reduce_scatter", "MPI_Scan",   "MPI_Exscan"};

/// The first so many are those of which a job may promise an order.
inline constexpr std::uint64_t functions_of_promised_order = 3;

struct Type {
  const char* name;
  MPI_Datatype handle;
  std::size_t bytes;
  std::size_t part_bytes;  ///< of one of the parts, which are floating-point numbers

  /// Products of complex numbers stay the MPI library's, in its own order.
  bool has_products() const { return part_bytes == bytes; }
};

/// No MPI library that is tested adds 16-bit ones: MPICH 4.0's MPIX_C_FLOAT16 ends the job in its first sum.
inline const std::array types = {Type{"float", MPI_FLOAT, sizeof(float), sizeof(float)},
                                 Type{"double", MPI_DOUBLE, sizeof(double), sizeof(double)},
                                 Type{"complex float", MPI_C_FLOAT_COMPLEX, 2 * sizeof(float), sizeof(float)},
                                 Type{"complex double", MPI_C_DOUBLE_COMPLEX, 2 * sizeof(double), sizeof(double)}};

/// A sum or product of floating-point numbers over the ranks of a communicator; the same on all of them.
struct Reduction {
  Function function = Function::allreduce;
  std::size_t type = 0;
  bool product = false;
  bool in_place = false;  ///< of a reduce at the root
  int root = 0;
  std::size_t count = 0;    ///< of the result; in a reduce_scatter_block of one rank's
  std::vector<int> counts;  ///< of a reduce_scatter, by rank
  std::uint64_t place = 0;
};

/// What a rank gives: parts of random numbers, from other places in each call. Sums are of many magnitudes, so that an
/// order of additions shows; products stay near 1.
class Pool {
 public:
  Pool(const Type& type, MPI_Op op, std::size_t max_bytes, std::uint64_t seed) : bytes_(type.bytes) {
    Random random(seed);
    data_.resize((max_bytes / bytes_ + slack) * bytes_);
    for (std::size_t at = 0; at < data_.size(); at += type.part_bytes)
      store(number(random, op == MPI_SUM ? exponents_of_addends : 1), type.part_bytes, data_.data() + at);
  }

  const std::byte* at(std::uint64_t place) const { return data_.data() + place % slack * bytes_; }

 private:
  static constexpr int exponents_of_addends = 40;
  static constexpr std::size_t slack = 4096;  // elements that a call's data may begin behind the pool's

  /// A random mantissa, its sign and one of `exponents` exponents around 0.
  static double number(Random& random, int exponents) {
    const double mantissa = 1 + random.unit();
    const int exponent = static_cast<int>(random.below(static_cast<std::uint64_t>(exponents))) - exponents / 2;
    return std::ldexp(random.chance(0.5) ? mantissa : -mantissa, exponent);
  }

  static void store(double value, std::size_t bytes, std::byte* at) {
    const auto single = static_cast<float>(value);
    bytes == sizeof(double) ? std::memcpy(at, &value, bytes) : std::memcpy(at, &single, bytes);
  }

  std::size_t bytes_;
  std::vector<std::byte> data_;
};

/// By type, of sums and of products.
class Pools {
 public:
  Pools(std::size_t max_bytes, std::uint64_t seed, int rank) {
    for (const Type& type : types) {
      for (const MPI_Op op : {MPI_SUM, MPI_PROD})
        pools_.emplace_back(type, op, max_bytes, mix(seed + static_cast<std::uint64_t>(rank)) + pools_.size());
    }
  }

  /// What a rank gives to a call.
  const std::byte* given(const Reduction& call, int rank) const {
    return pools_[2 * call.type + (call.product ? 1 : 0)].at(mix(call.place + static_cast<std::uint64_t>(rank)));
  }

 private:
  std::vector<Pool> pools_;
};

struct Arguments {
  const void* send;
  void* receive;
  int count;
  MPI_Datatype type;
  MPI_Op op;
};

inline Arguments arguments_of(const Reduction& call, const void* send, void* receive) {
  return {.send = send,
          .receive = receive,
          .count = static_cast<int>(call.count),
          .type = types[call.type].handle,
          .op = call.product ? MPI_PROD : MPI_SUM};
}

inline void make(const testing::MpiFunctions& mpi, const Reduction& call, const Arguments& a, MPI_Comm comm) {
  switch (call.function) {
    case Function::allreduce:
      mpi.allreduce(a.send, a.receive, a.count, a.type, a.op, comm);
      break;
    case Function::reduce:
      mpi.reduce(a.send, a.receive, a.count, a.type, a.op, call.root, comm);
      break;
    case Function::reduce_scatter_block:
      mpi.reduce_scatter_block(a.send, a.receive, a.count, a.type, a.op, comm);
      break;
    case Function::reduce_scatter:
      mpi.reduce_scatter(a.send, a.receive, call.counts.data(), a.type, a.op, comm);
      break;
    case Function::scan:
      mpi.scan(a.send, a.receive, a.count, a.type, a.op, comm);
      break;
    case Function::exscan:
      mpi.exscan(a.send, a.receive, a.count, a.type, a.op, comm);
      break;
  }
}

}  // namespace airamp::differential
