// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <cstddef>

namespace airamp::benchmark {

/// Functions of NCCL, from a library opened at run time.
struct NcclLibrary {
  decltype(&::ncclGetVersion) get_version;
  decltype(&::ncclGetUniqueId) get_unique_id;
  decltype(&::ncclCommInitRank) init_rank;
  decltype(&::ncclCommDestroy) destroy;
  decltype(&::ncclAllReduce) all_reduce;
  decltype(&::ncclAllGather) all_gather;
  decltype(&::ncclReduceScatter) reduce_scatter;
  decltype(&::ncclBroadcast) broadcast;
  decltype(&::ncclReduce) reduce;
  decltype(&::ncclSend) send;
  decltype(&::ncclRecv) receive;
  decltype(&::ncclGroupStart) start_group;
  decltype(&::ncclGroupEnd) end_group;
  decltype(&::ncclGetErrorString) error_string;
  // Of NCCL 2.27, which the headers may not know; nullptr in older libraries.
  ncclResult_t (*allocate)(void** data, std::size_t bytes);
  ncclResult_t (*release)(void* data);
  ncclResult_t (*register_window)(ncclComm_t communicator, void* data, std::size_t bytes, void** window, int flags);
  ncclResult_t (*deregister_window)(ncclComm_t communicator, void* window);

  bool has_windows() const {
    return allocate != nullptr && release != nullptr && register_window != nullptr && deregister_window != nullptr;
  }

  /// Throws std::runtime_error with `what` unless `status` is success.
  void check(ncclResult_t status, const char* what) const;
};

/// Opened on the first call, with multicast off unless NCCL_NVLS_ENABLE is set. Throws std::runtime_error if there is
/// no such library.
const NcclLibrary& nccl_library();

}  // namespace airamp::benchmark
