// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mpitests/differential/error_bound.hpp"

namespace airamp::differential {

/// How the bytes of an element are to be read.
enum class Format : std::uint8_t { integer, binary, float16, bfloat16, float32, float64, pairs };

bool is_half(Format format);
bool is_float(Format format);

/// An MPI datatype as the test uses it.
struct Element {
  std::string name;
  Format format;
  MPI_Datatype type;
  std::size_t bytes;  ///< extent; the distance between two elements
  bool learnable;     ///< lossy compression may take it for what `format` says in a gather, too
  bool own;           ///< created by us, to be freed
};

/// Every datatype of the test. Types of our own come in an order drawn from `seed`, so that an MPI library which hands
/// out old handles again gives them to other formats.
std::vector<Element> create_elements(std::uint64_t seed);
void free_elements(std::vector<Element>& elements);

/// Element `index` of `data` as a number. Only for floating-point formats.
double value_at(Format format, const std::byte* data, std::size_t index);

/// Rounding of a double to the format.
Rounding rounding(Format format);

/// The largest finite value of the format.
double largest(Format format);

}  // namespace airamp::differential
