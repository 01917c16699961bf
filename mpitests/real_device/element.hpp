// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpitests/real_device/format.hpp"

namespace airamp::gpu_tests {

constexpr bool is_half(Format format) { return format <= Format::bfloat16; }
constexpr bool is_float(Format format) { return format <= Format::float64; }

/// What a floating-point format can hold.
struct Precision {
  double roundoff;  ///< largest relative error of rounding to nearest
  double tiny;      ///< smallest subnormal
  double largest;   ///< largest finite value
};
Precision precision(Format format);

/// Element `index` of `data`. Only for floating-point formats.
double value_at(Format format, const std::byte* data, std::size_t index);

/// Writes `value`, rounded to the format. Only for floating-point formats.
void set_value(Format format, std::byte* data, std::size_t index, double value);

/// An MPI datatype of the test.
struct Element {
  std::string name;
  Format format;
  MPI_Datatype type;
  std::size_t bytes;
  bool own;  ///< created here, to be freed
};

enum class Meaning : std::uint8_t { sum, max, min, prod };

/// An MPI operation of the test: predefined, or for two-byte floats of the test's own.
struct Operation {
  std::string name;
  Meaning meaning;
  Format format;  ///< of own operations
  MPI_Op op;
  bool own;
};

/// All datatypes and operations; to be destroyed before MPI_Finalize.
class Vocabulary {
 public:
  Vocabulary();
  ~Vocabulary();
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  const std::vector<Element>& elements() const { return elements_; }

  /// Those that may reduce `element`.
  std::vector<const Operation*> operations(const Element& element) const;

 private:
  std::vector<Element> elements_;
  std::vector<Operation> operations_;
};

}  // namespace airamp::gpu_tests
