// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/group/host/host_group.hpp"

namespace airamp::pmpi {

/// Takes `chunks` chunks, the first of which was laid out for the latest meeting of the group, by `take(chunk, turn)`.
/// Each of the others is laid out by `lay_out(chunk, turn)` before the one before it is taken, for a meeting of its
/// own: whose copies take longer in one chunk than in another is not waited for every time. False if a rank is gone.
template <class LayOut, class Take>
bool take_chunks(HostGroup& group, std::size_t chunks, const LayOut& lay_out, const Take& take) {
  const std::size_t first = group.meeting().meetings();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    if (chunk > 0 && !group.hear()) return false;
    if (chunk + 1 < chunks) {
      lay_out(chunk + 1, first + chunk + 1);
      group.arrive();
    }
    take(chunk, first + chunk);
  }
  return true;
}

}  // namespace airamp::pmpi
