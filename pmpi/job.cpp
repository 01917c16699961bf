// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job.hpp"

namespace airamp::pmpi {

Job& job() noexcept {
  static Job& instance = *new Job;  // never destroyed: exit handlers may still call MPI
  return instance;
}

}  // namespace airamp::pmpi
