// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/measuring_scratch.hpp"

#include "pmpi/job/job.hpp"
#include "pmpi/job/memory_room.hpp"

namespace airamp::pmpi {

bool MeasuringScratch::affordable(std::size_t bytes) {
  return memory_room().affords(bytes, static_cast<std::uint64_t>(job().ranks_on_host));
}

}  // namespace airamp::pmpi
