// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/started/started_request.hpp"

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

void StartedRequest::wait() noexcept {
  if (!is_on_copies) {
    starts->wait(start);
  } else if (start.runs.load(std::memory_order_acquire)) {
    end_on_copies(native().MPI_Wait(&copied->request, MPI_STATUS_IGNORE));
  }
}

bool StartedRequest::are_copies_complete() noexcept {
  if (!start.runs.load(std::memory_order_acquire)) return true;
  if (copied->request == MPI_REQUEST_NULL) return false;
  int complete = 0;
  const int error = native().MPI_Test(&copied->request, &complete, MPI_STATUS_IGNORE);
  if (error == MPI_SUCCESS && complete == 0) return false;
  end_on_copies(error);
  return true;
}

void StartedRequest::end_on_copies(int error) noexcept {
  is_raised = error != MPI_SUCCESS;
  if (error == MPI_SUCCESS && !copied->store()) error = MPI_ERR_BUFFER;
  start.error = error;
  start.runs.store(false, std::memory_order_release);
}

}  // namespace airamp::pmpi
