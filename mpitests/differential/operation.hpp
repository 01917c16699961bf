// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "mpitests/differential/element.hpp"

namespace airamp::differential {

/// What an operation does, as far as the truth is computed for it.
enum class Meaning : std::uint8_t { sum, max, min, other };

struct Operation {
  std::string name;
  MPI_Op op;
  Meaning meaning;
  std::vector<Format> formats;  ///< element formats that it can be applied to
  bool own;                     ///< created by us, to be freed
};

/// Every operation of the test; our own in an order drawn from `seed` (see create_elements).
std::vector<Operation> create_operations(std::uint64_t seed);
void free_operations(std::vector<Operation>& operations);

/// Whether MPI allows the operation on the element (on MPI_UINT16_T the predefined ones would take halves for
/// integers).
bool applies(const Operation& operation, const Element& element);

}  // namespace airamp::differential
