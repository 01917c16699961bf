// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "benchmarks/airamp_bench/values/kinds.hpp"

namespace airamp::benchmark {

/// The MPI datatype and operation of an element type. Two-byte floats are MPI_Type_contiguous(2, MPI_BYTE) with a user
/// operation, the usual way where MPI has no such type. To be destroyed before MPI_Finalize; not copyable.
class Element {
 public:
  /// `data`: of floating-point numbers. `integer_bits`: of integers' values, with their sign; 0 for the most.
  Element(ElementType type, Operation operation, Data data = Data::about_normal, int integer_bits = 0);
  ~Element();
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;

  MPI_Datatype datatype() const { return datatype_; }
  MPI_Op op() const { return op_; }
  std::size_t bytes() const { return bytes_of(type_); }
  static std::size_t bytes_of(ElementType type);

  /// The inputs repeat after this many elements, a prime number: vectors of gigabytes are made by copying.
  static constexpr std::size_t period = 4194301;

  /// With these sums over 16 ranks fit the type, and FP64 holds them exactly.
  static int max_integer_bits(ElementType type);

  /// Writes elements begin ... begin + count - 1 of rank `rank`'s input.
  void fill(void* data, std::size_t begin, std::size_t count, int rank) const;

  /// What `fill` gives rank `rank` at `index`, after rounding to the element type.
  double input(int rank, std::size_t index) const;

  /// Element `index` of `data`.
  double value(const void* data, std::size_t index) const;

 private:
  bool half() const { return type_ == ElementType::float16 || type_ == ElementType::bfloat16; }

  /// Of a floating-point type, before rounding.
  float number(int rank, std::size_t index) const;

  ElementType type_;
  Data data_;
  int integer_bits_;
  MPI_Datatype datatype_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace airamp::benchmark
