// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace rtm_stack {

/// A section of the subsurface: nz rows of nx values, row 0 at the surface, x fastest.
template <typename Value>
struct Grid {
  int nx = 0;
  int nz = 0;
  std::vector<Value> values;

  Grid() = default;
  Grid(int width, int depth, Value value = Value{})
      : nx(width), nz(depth), values(static_cast<std::size_t>(width) * static_cast<std::size_t>(depth), value) {}

  Value& at(int x, int z) { return values[static_cast<std::size_t>(z) * static_cast<std::size_t>(nx) + x]; }
  const Value& at(int x, int z) const { return values[static_cast<std::size_t>(z) * static_cast<std::size_t>(nx) + x]; }
};

}  // namespace rtm_stack
