// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/gpu_awareness.hpp"

#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native_library.hpp"

namespace airamp::pmpi {

bool library_takes_gpu_buffers() noexcept {
  switch (job().settings.gpu_aware_mpi) {
    case config::Detection::yes:
      return true;
    case config::Detection::no:
      return false;
    case config::Detection::detect:
      break;
  }
  using Query = int (*)();
  for (const char* name : {"MPIX_Query_cuda_support", "MPIX_Query_rocm_support", "MPIX_Query_hip_support"}) {
    const auto query = reinterpret_cast<Query>(native_function(name));
    if (query != nullptr && query() == 1) return true;
  }
  return false;
}

}  // namespace airamp::pmpi
