// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

Job& make_job() noexcept {
  static Job& instance = *new Job;  // never destroyed: exit handlers may still call MPI
  made_job.store(&instance, std::memory_order_release);
  return instance;
}

}  // namespace airamp::pmpi
