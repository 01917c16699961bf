// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "nccl_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "cuda_runtime.hpp"

namespace airamp::benchmark {
namespace {

template <typename Function>
void look_up_optional(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

NcclLibrary load() {
  // Multicast changes the state of the switch that other programs share; who wants it says so.
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  void* library = open_library(
      "--nccl", {"libnccl.so.2", "/usr/local/cuda/lib64/libnccl.so.2", "/usr/local/cuda/lib/libnccl.so.2"});
  NcclLibrary functions{};
  look_up(library, "ncclGetVersion", functions.get_version);
  look_up(library, "ncclGetUniqueId", functions.get_unique_id);
  look_up(library, "ncclCommInitRank", functions.init_rank);
  look_up(library, "ncclCommDestroy", functions.destroy);
  look_up(library, "ncclAllReduce", functions.all_reduce);
  look_up(library, "ncclAllGather", functions.all_gather);
  look_up(library, "ncclReduceScatter", functions.reduce_scatter);
  look_up(library, "ncclBroadcast", functions.broadcast);
  look_up(library, "ncclReduce", functions.reduce);
  look_up(library, "ncclSend", functions.send);
  look_up(library, "ncclRecv", functions.receive);
  look_up(library, "ncclGroupStart", functions.start_group);
  look_up(library, "ncclGroupEnd", functions.end_group);
  look_up(library, "ncclGetErrorString", functions.error_string);
  look_up_optional(library, "ncclMemAlloc", functions.allocate);
  look_up_optional(library, "ncclMemFree", functions.release);
  look_up_optional(library, "ncclCommWindowRegister", functions.register_window);
  look_up_optional(library, "ncclCommWindowDeregister", functions.deregister_window);
  return functions;
}

}  // namespace

void NcclLibrary::check(ncclResult_t status, const char* what) const {
  if (status != ncclSuccess) throw std::runtime_error(std::string(what) + ": " + error_string(status));
}

const NcclLibrary& nccl_library() {
  static const NcclLibrary library = load();
  return library;
}

}  // namespace airamp::benchmark
