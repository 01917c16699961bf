// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/element.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "testing/half.hpp"

namespace airamp::gpu_tests {
namespace {

using testing::bfloat16_from_float;
using testing::float16_from_float;
using testing::float_from_bfloat16;
using testing::float_from_float16;

template <typename T>
T load(const std::byte* data, std::size_t index) {
  T value{};
  std::memcpy(&value, data + index * sizeof value, sizeof value);
  return value;
}

template <typename T>
void store(std::byte* data, std::size_t index, T value) {
  std::memcpy(data + index * sizeof value, &value, sizeof value);
}

struct Sum {
  float operator()(float a, float b) const { return a + b; }
};
struct Max {
  float operator()(float a, float b) const { return std::isnan(a) || a > b ? a : b; }
};
struct Min {
  float operator()(float a, float b) const { return std::isnan(a) || a < b ? a : b; }
};

template <typename Function>
void reduce_float16(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  auto* result = static_cast<std::byte*>(inout);
  for (std::size_t i = 0; i < static_cast<std::size_t>(*length); ++i) {
    const float a = float_from_float16(load<std::uint16_t>(static_cast<std::byte*>(in), i));
    const float b = float_from_float16(load<std::uint16_t>(result, i));
    store(result, i, float16_from_float(Function{}(a, b)));
  }
}

template <typename Function>
void reduce_bfloat16(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  auto* result = static_cast<std::byte*>(inout);
  for (std::size_t i = 0; i < static_cast<std::size_t>(*length); ++i) {
    const float a = float_from_bfloat16(load<std::uint16_t>(static_cast<std::byte*>(in), i));
    const float b = float_from_bfloat16(load<std::uint16_t>(result, i));
    store(result, i, bfloat16_from_float(Function{}(a, b)));
  }
}

MPI_Op create(MPI_User_function* function) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(function, 1, &op);
  return op;
}

MPI_Datatype two_bytes(const char* name) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Type_set_name(type, name);
  return type;
}

}  // namespace

Precision precision(Format format) {
  switch (format) {
    case Format::float16:
      return {0x1p-11, 0x1p-24, 65504.0};
    case Format::bfloat16:
      return {0x1p-8, 0x1p-133, 0x1.fep127};
    case Format::float32:
      return {0x1p-24, 0x1p-149, 0x1.fffffep127};
    default:
      return {0x1p-53, 0x1p-1074, 0x1.fffffffffffffp1023};
  }
}

double value_at(Format format, const std::byte* data, std::size_t index) {
  switch (format) {
    case Format::float16:
      return static_cast<double>(float_from_float16(load<std::uint16_t>(data, index)));
    case Format::bfloat16:
      return static_cast<double>(float_from_bfloat16(load<std::uint16_t>(data, index)));
    case Format::float32:
      return static_cast<double>(load<float>(data, index));
    default:
      return load<double>(data, index);
  }
}

void set_value(Format format, std::byte* data, std::size_t index, double value) {
  switch (format) {
    case Format::float16:
      return store(data, index, float16_from_float(static_cast<float>(value)));
    case Format::bfloat16:
      return store(data, index, bfloat16_from_float(static_cast<float>(value)));
    case Format::float32:
      return store(data, index, static_cast<float>(value));
    default:
      return store(data, index, value);
  }
}

Vocabulary::Vocabulary() {
  elements_ = {{"FP16 as contiguous(2, BYTE)", Format::float16, two_bytes("float16"), 2, true},
               {"BF16 as contiguous(2, BYTE)", Format::bfloat16, two_bytes("bfloat16"), 2, true},
               {"FP16 as UINT16_T", Format::float16, MPI_UINT16_T, 2, false},
               {"BF16 as SHORT", Format::bfloat16, MPI_SHORT, 2, false},
               {"FLOAT", Format::float32, MPI_FLOAT, 4, false},
               {"DOUBLE", Format::float64, MPI_DOUBLE, 8, false},
               {"INT", Format::int32, MPI_INT, 4, false},
               {"INT32_T", Format::int32, MPI_INT32_T, 4, false},
               {"UNSIGNED", Format::uint32, MPI_UNSIGNED, 4, false},
               {"LONG", Format::int64, MPI_LONG, 8, false},
               {"INT64_T", Format::int64, MPI_INT64_T, 8, false},
               {"UINT64_T", Format::uint64, MPI_UINT64_T, 8, false},
               {"BYTE", Format::byte, MPI_BYTE, 1, false}};
  const Format none = Format::byte;
  operations_ = {{"SUM", Meaning::sum, none, MPI_SUM, false},
                 {"MAX", Meaning::max, none, MPI_MAX, false},
                 {"MIN", Meaning::min, none, MPI_MIN, false},
                 {"PROD", Meaning::prod, none, MPI_PROD, false},
                 {"own FP16 sum", Meaning::sum, Format::float16, create(reduce_float16<Sum>), true},
                 {"own FP16 max", Meaning::max, Format::float16, create(reduce_float16<Max>), true},
                 {"own FP16 min", Meaning::min, Format::float16, create(reduce_float16<Min>), true},
                 {"own BF16 sum", Meaning::sum, Format::bfloat16, create(reduce_bfloat16<Sum>), true},
                 {"own BF16 max", Meaning::max, Format::bfloat16, create(reduce_bfloat16<Max>), true},
                 {"own BF16 min", Meaning::min, Format::bfloat16, create(reduce_bfloat16<Min>), true}};
}

Vocabulary::~Vocabulary() {
  for (Element& element : elements_) {
    if (element.own) MPI_Type_free(&element.type);
  }
  for (Operation& operation : operations_) {
    if (operation.own) MPI_Op_free(&operation.op);
  }
}

std::vector<const Operation*> Vocabulary::operations(const Element& element) const {
  std::vector<const Operation*> result;
  for (const Operation& operation : operations_) {
    const bool fits = is_half(element.format) ? operation.own && operation.format == element.format : !operation.own;
    if (fits && element.format != Format::byte) result.push_back(&operation);
  }
  return result;
}

}  // namespace airamp::gpu_tests
