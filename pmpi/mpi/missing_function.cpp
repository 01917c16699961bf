// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/missing_function.hpp"

#include <string>

#include "pmpi/mpi/native.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {

int missing_function(const char* name, MPI_Comm comm) {
  try {
    telemetry::log(config::LogLevel::error, std::string(name) + " was called, but this MPI library does not have it");
  } catch (...) {  // out of memory: the error code says it as well
  }
  if (native().Comm_call_errhandler != nullptr) native().Comm_call_errhandler(comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}

}  // namespace airamp::pmpi
