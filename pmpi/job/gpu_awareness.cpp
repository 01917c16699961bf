// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/gpu_awareness.hpp"

#include <cstdlib>
#include <string_view>

#include "pmpi/job/binary_interface.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native_library.hpp"

namespace airamp::pmpi {
namespace {

bool open_mpi_has_ucc() noexcept {
  const char* const enabled = std::getenv("OMPI_MCA_coll_ucc_enable");
  return enabled != nullptr && std::string_view(enabled) != "0";
}

}  // namespace

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

bool library_takes_started_gpu_buffers() noexcept {
  const bool said = job().settings.gpu_aware_mpi == config::Detection::yes;
  const bool able = own_interface != BinaryInterface::open_mpi || said || open_mpi_has_ucc();
  return able && library_takes_gpu_buffers();
}

}  // namespace airamp::pmpi
