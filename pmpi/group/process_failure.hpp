// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

// How an MPI library that survives failures tells of them; others know no such classes.
#if defined(MPI_ERR_PROC_FAILED) && defined(MPI_ERR_REVOKED)  // Open MPI 5
inline constexpr bool tells_of_failures = true;
inline constexpr int process_failed = MPI_ERR_PROC_FAILED;
inline constexpr int communicator_revoked = MPI_ERR_REVOKED;
#elif defined(MPIX_ERR_PROC_FAILED) && defined(MPIX_ERR_REVOKED)
inline constexpr bool tells_of_failures = true;
inline constexpr int process_failed = MPIX_ERR_PROC_FAILED;
inline constexpr int communicator_revoked = MPIX_ERR_REVOKED;
#else
inline constexpr bool tells_of_failures = false;
inline constexpr int process_failed = MPI_ERR_OTHER;
inline constexpr int communicator_revoked = MPI_ERR_OTHER;
#endif

/// Whether an MPI error says that a rank has died or the communicator was revoked: the others hear of that themselves.
inline bool is_process_failure(int error) noexcept {
  int error_class = error;
  native().Error_class(error, &error_class);
  return tells_of_failures && (error_class == process_failed || error_class == communicator_revoked);
}

}  // namespace airamp::pmpi
