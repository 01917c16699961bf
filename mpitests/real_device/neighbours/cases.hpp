// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpitests/real_device/neighbours/case.hpp"

namespace airamp::gpu_tests {

// resets.cpp: the application resets its GPU.
Outcome reset_before_finalize(const Job& job);
Outcome reset_before_comm_free(const Job& job);
Outcome reset_midway(const Job& job);

// kernels_beside.cpp: its kernels run while MPI is called.
Outcome persistent_kernel(const Job& job);
Outcome long_kernel(const Job& job);
Outcome waves(const Job& job);
Outcome late_peer(const Job& job);

// captures.cpp: another thread captures a graph, in the mode that concerns all threads.
Outcome capture(const Job& job);
Outcome capture_first_call(const Job& job);

// memory.cpp: buffers that are not from cudaMalloc on the current device.
Outcome kinds_of_memory(const Job& job);
Outcome imported_memory(const Job& job);
Outcome mapped_memory(const Job& job);
Outcome other_device(const Job& job);
Outcome several_devices(const Job& job);
Outcome peer_access(const Job& job);

// streams.cpp: work in the default streams.
Outcome default_stream(const Job& job);
Outcome default_stream_of_thread(const Job& job);
Outcome started_beside_kernel(const Job& job);

// process.cpp
Outcome fork_after_init(const Job& job);
Outcome device_limits(const Job& job);

// killed_rank.cpp: not all ranks return.
Outcome killed_rank(const Job& job);

// lengths.cpp
Outcome sums(const Job& job);
Outcome bcast_lengths(const Job& job);

}  // namespace airamp::gpu_tests
