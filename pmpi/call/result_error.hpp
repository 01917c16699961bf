// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data_type.hpp"

namespace airamp::pmpi {

/// Accumulates how far results are from the native ones. The caller's floating-point modes, traps and exception flags
/// have no part in it and stay as they are.
class ResultError {
 public:
  /// Compares `elements` elements, of a floating-point type; of others none. Where both are non-finite they agree;
  /// where one of them is, the error is infinite.
  void add(DataType type, const void* native_result, const void* result, std::size_t elements);

  /// Relative L2 error: ||result - native|| / ||native||; 0 if both are zero, infinite if native alone is. A NaN or
  /// infinite as well where binary64 does not hold the squares.
  double relative() const;

  /// Largest absolute error of an element.
  double maximum() const { return maximum_; }

 private:
  double squared_error_ = 0;
  double squared_native_ = 0;
  double maximum_ = 0;
};

}  // namespace airamp::pmpi
