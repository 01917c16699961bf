// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::pmpi {

/// Whether the MPI library takes pointers to GPU memory: what the settings say, or what the library answers. Between
/// MPI_Init and MPI_Finalize.
bool library_takes_gpu_buffers() noexcept;

/// The same of nonblocking and persistent reductions. Those of Open MPI add on the host what lies on the GPU, and so
/// end the program, unless UCC does them.
bool library_takes_started_gpu_buffers() noexcept;

}  // namespace airamp::pmpi
