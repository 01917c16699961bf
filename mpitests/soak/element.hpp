// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpitests/laws/halves.hpp"

namespace airamp::soak {

/// What an operation does to whole numbers.
enum class Meaning : std::uint8_t { none, sum, prod, max, min, band, bxor };

struct Operation {
  MPI_Op op;
  Meaning meaning;
};

/// A datatype, and how a small whole number is written as one of its elements.
struct Element {
  const char* name;
  MPI_Datatype type;
  std::size_t bytes;
  void (*store)(std::int64_t number, std::byte* place);
  std::vector<Operation> operations;  ///< none: it is only moved
};

/// All of them. To be destroyed before MPI_Finalize.
class Elements {
 public:
  Elements();
  ~Elements();
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  const std::vector<Element>& all() const { return all_; }

 private:
  laws::HalfSum half_;
  MPI_Datatype triple_ = MPI_DATATYPE_NULL;  // of integers
  std::vector<Element> all_;
};

/// `a` and `b` combined.
std::int64_t combine(Meaning meaning, std::int64_t a, std::int64_t b);

}  // namespace airamp::soak
