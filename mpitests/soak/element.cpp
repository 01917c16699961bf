// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/soak/element.hpp"

#include <algorithm>
#include <cstring>

#include "testing/half.hpp"

namespace airamp::soak {
namespace {

template <class Value>
void store(std::int64_t number, std::byte* place) {
  const auto value = static_cast<Value>(number);
  std::memcpy(place, &value, sizeof value);
}

void store_half(std::int64_t number, std::byte* place) {
  const std::uint16_t value = testing::float16_from_float(static_cast<float>(number));
  std::memcpy(place, &value, sizeof value);
}

void store_triple(std::int64_t number, std::byte* place) {
  for (std::size_t i = 0; i < 3; ++i) {
    store<std::int32_t>(number + 7 * static_cast<std::int64_t>(i), place + i * sizeof(std::int32_t));
  }
}

template <class Value>
Element integer(const char* name, MPI_Datatype type) {
  return {name,
          type,
          sizeof(Value),
          store<Value>,
          {{MPI_SUM, Meaning::sum},
           {MPI_PROD, Meaning::prod},
           {MPI_MAX, Meaning::max},
           {MPI_MIN, Meaning::min},
           {MPI_BAND, Meaning::band},
           {MPI_BXOR, Meaning::bxor}}};
}

template <class Value>
Element floating_point(const char* name, MPI_Datatype type) {
  return {name,
          type,
          sizeof(Value),
          store<Value>,
          {{MPI_SUM, Meaning::sum}, {MPI_PROD, Meaning::prod}, {MPI_MAX, Meaning::max}, {MPI_MIN, Meaning::min}}};
}

}  // namespace

Elements::Elements() {
  MPI_Type_contiguous(3, MPI_INT32_T, &triple_);
  MPI_Type_commit(&triple_);
  all_ = {integer<std::int8_t>("int8", MPI_INT8_T),
          integer<std::uint16_t>("uint16", MPI_UINT16_T),
          integer<std::int32_t>("int32", MPI_INT32_T),
          integer<std::uint64_t>("uint64", MPI_UINT64_T),
          floating_point<float>("float32", MPI_FLOAT),
          floating_point<double>("float64", MPI_DOUBLE),
          {"float16", half_.type(), sizeof(std::uint16_t), store_half, {{half_.op(), Meaning::sum}}},
          {"byte", MPI_BYTE, 1, store<std::uint8_t>, {{MPI_BAND, Meaning::band}, {MPI_BXOR, Meaning::bxor}}},
          {"triple", triple_, 3 * sizeof(std::int32_t), store_triple, {}}};
}

Elements::~Elements() { MPI_Type_free(&triple_); }

std::int64_t combine(Meaning meaning, std::int64_t a, std::int64_t b) {
  switch (meaning) {
    case Meaning::sum:
      return a + b;
    case Meaning::prod:
      return a * b;
    case Meaning::max:
      return std::max(a, b);
    case Meaning::min:
      return std::min(a, b);
    case Meaning::band:
      return a & b;
    case Meaning::bxor:
      return a ^ b;
    case Meaning::none:
      break;
  }
  return b;
}

}  // namespace airamp::soak
