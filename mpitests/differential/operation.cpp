// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/differential/operation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "mpitests/differential/random.hpp"
#include "testing/half.hpp"

namespace airamp::differential {
namespace {

float add(float a, float b) { return a + b; }
float larger(float a, float b) { return std::isnan(a) || a > b ? a : b; }
float smaller(float a, float b) { return std::isnan(a) || a < b ? a : b; }
float multiply(float a, float b) { return a * b; }
float later(float a, float /*b*/) { return a; }

template <float (*to_float)(std::uint16_t), std::uint16_t (*from_float)(float), float (*combine)(float, float)>
void reduce_halves(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* a = static_cast<const char*>(in);
  auto* b = static_cast<char*>(inout);
  for (std::size_t i = 0; i < static_cast<std::size_t>(*length); ++i) {
    std::uint16_t x = 0;
    std::uint16_t y = 0;
    std::memcpy(&x, a + 2 * i, 2);
    std::memcpy(&y, b + 2 * i, 2);
    y = from_float(combine(to_float(x), to_float(y)));
    std::memcpy(b + 2 * i, &y, 2);
  }
}

template <float (*combine)(float, float)>
constexpr auto float16_function = reduce_halves<testing::float_from_float16, testing::float16_from_float, combine>;
template <float (*combine)(float, float)>
constexpr auto bfloat16_function = reduce_halves<testing::float_from_bfloat16, testing::bfloat16_from_float, combine>;

void xor_two_bytes(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(*length); ++i)
    static_cast<unsigned char*>(inout)[i] ^= static_cast<const unsigned char*>(in)[i];
}

void add_pairs(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(*length); i += 2)
    static_cast<float*>(inout)[i] += static_cast<const float*>(in)[i];
}

struct Own {
  const char* name;
  MPI_User_function* function;
  Meaning meaning;
  Format format;
  int commutative;
};

}  // namespace

std::vector<Operation> create_operations(std::uint64_t seed) {
  const std::vector<Format> numbers = {Format::integer, Format::float32, Format::float64};
  const std::vector<Format> bits = {Format::integer, Format::binary};
  std::vector<Operation> operations = {
      {"MPI_SUM", MPI_SUM, Meaning::sum, numbers, false},  {"MPI_MAX", MPI_MAX, Meaning::max, numbers, false},
      {"MPI_MIN", MPI_MIN, Meaning::min, numbers, false},  {"MPI_PROD", MPI_PROD, Meaning::other, numbers, false},
      {"MPI_BAND", MPI_BAND, Meaning::other, bits, false}, {"MPI_BXOR", MPI_BXOR, Meaning::other, bits, false},
  };
  std::vector<Own> own = {
      {"float16 sum", float16_function<add>, Meaning::sum, Format::float16, 1},
      {"float16 max", float16_function<larger>, Meaning::max, Format::float16, 1},
      {"float16 min", float16_function<smaller>, Meaning::min, Format::float16, 1},
      {"float16 product", float16_function<multiply>, Meaning::other, Format::float16, 1},
      {"float16 of the lower rank", float16_function<later>, Meaning::other, Format::float16, 0},
      {"bfloat16 sum", bfloat16_function<add>, Meaning::sum, Format::bfloat16, 1},
      {"bfloat16 max", bfloat16_function<larger>, Meaning::max, Format::bfloat16, 1},
      {"bfloat16 min", bfloat16_function<smaller>, Meaning::min, Format::bfloat16, 1},
      {"bfloat16 product", bfloat16_function<multiply>, Meaning::other, Format::bfloat16, 1},
      {"pair sum", add_pairs, Meaning::other, Format::pairs, 1},
  };
  Random random(seed);
  for (std::size_t i = own.size(); i > 1; --i) std::swap(own[i - 1], own[random.below(i)]);
  for (const Own& one : own) {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(one.function, one.commutative, &op);
    operations.push_back({one.name, op, one.meaning, {one.format}, true});
  }
  MPI_Op two_bytes = MPI_OP_NULL;
  MPI_Op_create(xor_two_bytes, 1, &two_bytes);
  operations.push_back({"xor of two bytes", two_bytes, Meaning::other, {Format::binary}, true});
  return operations;
}

void free_operations(std::vector<Operation>& operations) {
  for (Operation& operation : operations)
    if (operation.own) MPI_Op_free(&operation.op);
  operations.clear();
}

bool applies(const Operation& operation, const Element& element) {
  if (std::find(operation.formats.begin(), operation.formats.end(), element.format) == operation.formats.end())
    return false;
  // Bytes of a predefined type take the predefined operations, bytes of our own types our own.
  return element.format != Format::binary || element.own == operation.own;
}

}  // namespace airamp::differential
