// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::pmpi {

/// Whether the job was started so that its programs may survive the failure of ranks (Open MPI 5: mpirun --with-ft
/// ulfm). They revoke communicators then, and what our messages travel on is to be revoked with them: one communicator
/// for all will not do. The same on all ranks; between MPI_Init and MPI_Finalize.
bool job_survives_failures() noexcept;

}  // namespace airamp::pmpi
