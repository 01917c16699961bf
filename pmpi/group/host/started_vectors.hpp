// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::pmpi {

/// Where all ranks' vectors of one start lie, in the order of the ranks.
struct StartedVectors {
  const std::byte* first;
  std::size_t stride;  ///< bytes from one rank's to the next rank's

  const std::byte* of(std::size_t rank) const noexcept { return first + rank * stride; }
};

}  // namespace airamp::pmpi
