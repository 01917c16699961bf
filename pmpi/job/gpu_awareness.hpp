// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::pmpi {

/// Whether the MPI library takes pointers to GPU memory: what the settings say, or what the library answers. Between
/// MPI_Init and MPI_Finalize.
bool library_takes_gpu_buffers() noexcept;

}  // namespace airamp::pmpi
