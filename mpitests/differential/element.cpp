// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/differential/element.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "mpitests/differential/random.hpp"
#include "testing/half.hpp"

namespace airamp::differential {
namespace {

Element two_bytes(const char* name, Format format, bool named) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  if (named) MPI_Type_set_name(type, name);
  return {std::string(named ? "named " : "unnamed ") + name, format, type, 2, is_half(format), true};
}

// Two floats with a gap of one float behind each: neither contiguous nor without padding.
Element float_pairs() {
  MPI_Datatype strided = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_FLOAT, &strided);
  MPI_Type_create_resized(strided, 0, 4 * sizeof(float), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&strided);
  return {"vector of floats", Format::pairs, type, 4 * sizeof(float), false, true};
}

}  // namespace

bool is_half(Format format) { return format == Format::float16 || format == Format::bfloat16; }

bool is_float(Format format) { return is_half(format) || format == Format::float32 || format == Format::float64; }

std::vector<Element> create_elements(std::uint64_t seed) {
  std::vector<Element> elements = {
      {"int8", Format::integer, MPI_INT8_T, 1, false, false},
      {"uint8", Format::integer, MPI_UINT8_T, 1, false, false},
      {"int16", Format::integer, MPI_INT16_T, 2, false, false},
      {"uint16", Format::integer, MPI_UINT16_T, 2, false, false},
      {"int32", Format::integer, MPI_INT32_T, 4, false, false},
      {"uint32", Format::integer, MPI_UINT32_T, 4, false, false},
      {"int64", Format::integer, MPI_INT64_T, 8, false, false},
      {"uint64", Format::integer, MPI_UINT64_T, 8, false, false},
      {"byte", Format::binary, MPI_BYTE, 1, false, false},
      {"float", Format::float32, MPI_FLOAT, 4, true, false},
      {"double", Format::float64, MPI_DOUBLE, 8, false, false},
      {"uint16 as float16", Format::float16, MPI_UINT16_T, 2, false, false},
      {"uint16 as bfloat16", Format::bfloat16, MPI_UINT16_T, 2, false, false},
  };
  std::vector<std::pair<const char*, Format>> halves = {
      {"float16", Format::float16}, {"bfloat16", Format::bfloat16}, {"raw", Format::binary}};
  Random random(seed);
  for (std::size_t i = halves.size(); i > 1; --i) std::swap(halves[i - 1], halves[random.below(i)]);
  for (const auto& [name, format] : halves) {
    elements.push_back(two_bytes(name, format, false));
    if (format != Format::binary) elements.push_back(two_bytes(name, format, true));
  }
  elements.push_back(float_pairs());
  return elements;
}

void free_elements(std::vector<Element>& elements) {
  for (Element& element : elements)
    if (element.own) MPI_Type_free(&element.type);
  elements.clear();
}

double value_at(Format format, const std::byte* data, std::size_t index) {
  if (is_half(format)) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, data + 2 * index, 2);
    return format == Format::float16 ? testing::float_from_float16(bits) : testing::float_from_bfloat16(bits);
  }
  if (format == Format::float32) {
    float value = 0;
    std::memcpy(&value, data + 4 * index, 4);
    return value;
  }
  double value = 0;
  std::memcpy(&value, data + 8 * index, 8);
  return value;
}

Rounding rounding(Format format) {
  switch (format) {
    case Format::float16:
      return {0x1p-11, 0x1p-25, 0x1p15};
    case Format::bfloat16:
      return {0x1p-9, 0x1p-134, 0x1p127};
    default:
      return {0x1p-24, 0x1p-150, 0x1p127};
  }
}

double largest(Format format) {
  switch (format) {
    case Format::float16:
      return 65504.0;
    case Format::bfloat16:
      return 0x1.fep127;
    default:
      return std::numeric_limits<float>::max();
  }
}

}  // namespace airamp::differential
