// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airamp_bench/values/element.hpp"

#include "benchmarks/airamp_bench/values/data.hpp"
#include "benchmarks/airamp_bench/values/half_operations.hpp"
#include "testing/half.hpp"
#include "testing/mix.hpp"

namespace airamp::benchmark {
namespace {

std::uint64_t random_bits(int rank, std::size_t index) {
  return testing::mix((static_cast<std::uint64_t>(rank) << 40U) + static_cast<std::uint64_t>(index % Element::period));
}

// Of so many bits, of either sign.
std::int64_t integer(std::uint64_t bits, int count) { return static_cast<std::int64_t>(bits) >> (64 - count); }

MPI_Datatype predefined_type(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return MPI_DOUBLE;
    case ElementType::int32:
      return MPI_INT32_T;
    case ElementType::int64:
      return MPI_INT64_T;
    default:
      return MPI_FLOAT;
  }
}

MPI_Op predefined_op(Operation operation) {
  switch (operation) {
    case Operation::max:
      return MPI_MAX;
    case Operation::min:
      return MPI_MIN;
    default:
      return MPI_SUM;
  }
}

}  // namespace

Element::Element(ElementType type, Operation operation, Data data, int integer_bits)
    : type_(type), data_(data), integer_bits_(integer_bits != 0 ? integer_bits : max_integer_bits(type)) {
  if (half()) {
    MPI_Type_contiguous(2, MPI_BYTE, &datatype_);
    MPI_Type_commit(&datatype_);
    MPI_Type_set_name(datatype_, type == ElementType::float16 ? "float16" : "bfloat16");
    MPI_Op_create(half_operation(type, operation), 1, &op_);
  } else {
    datatype_ = predefined_type(type);
    op_ = predefined_op(operation);
  }
}

int Element::max_integer_bits(ElementType type) { return type == ElementType::int32 ? 27 : 49; }

Element::~Element() {
  if (!half()) return;
  MPI_Op_free(&op_);
  MPI_Type_free(&datatype_);
}

std::size_t Element::bytes_of(ElementType type) {
  if (type == ElementType::float16 || type == ElementType::bfloat16) return 2;
  return type == ElementType::float64 || type == ElementType::int64 ? 8 : 4;
}

float Element::number(int rank, std::size_t index) const {
  return number_of(data_, type_, random_bits(rank, index), rank, index % period);
}

void Element::fill(void* data, std::size_t begin, std::size_t count, int rank) const {
  const auto integer_at = [&](std::size_t index) { return integer(random_bits(rank, index), integer_bits_); };
  for (std::size_t i = 0; i < count; ++i) {
    switch (type_) {
      case ElementType::float16:
        static_cast<std::uint16_t*>(data)[i] = testing::float16_from_float(number(rank, begin + i));
        break;
      case ElementType::bfloat16:
        static_cast<std::uint16_t*>(data)[i] = testing::bfloat16_from_float(number(rank, begin + i));
        break;
      case ElementType::float32:
        static_cast<float*>(data)[i] = number(rank, begin + i);
        break;
      case ElementType::float64:
        static_cast<double*>(data)[i] = static_cast<double>(number(rank, begin + i));
        break;
      case ElementType::int32:
        static_cast<std::int32_t*>(data)[i] = static_cast<std::int32_t>(integer_at(begin + i));
        break;
      case ElementType::int64:
        static_cast<std::int64_t*>(data)[i] = integer_at(begin + i);
        break;
    }
  }
}

double Element::input(int rank, std::size_t index) const {
  switch (type_) {
    case ElementType::float16:
      return static_cast<double>(testing::float_from_float16(testing::float16_from_float(number(rank, index))));
    case ElementType::bfloat16:
      return static_cast<double>(testing::float_from_bfloat16(testing::bfloat16_from_float(number(rank, index))));
    case ElementType::int32:
    case ElementType::int64:
      return static_cast<double>(integer(random_bits(rank, index), integer_bits_));
    default:
      return static_cast<double>(number(rank, index));
  }
}

double Element::value(const void* data, std::size_t index) const {
  switch (type_) {
    case ElementType::float16:
      return static_cast<double>(testing::float_from_float16(static_cast<const std::uint16_t*>(data)[index]));
    case ElementType::bfloat16:
      return static_cast<double>(testing::float_from_bfloat16(static_cast<const std::uint16_t*>(data)[index]));
    case ElementType::float32:
      return static_cast<double>(static_cast<const float*>(data)[index]);
    case ElementType::float64:
      return static_cast<const double*>(data)[index];
    case ElementType::int32:
      return static_cast<const std::int32_t*>(data)[index];
    case ElementType::int64:
      return static_cast<double>(static_cast<const std::int64_t*>(data)[index]);
  }
  return 0.0;
}

}  // namespace airamp::benchmark
