// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/runtime/ccl_library.hpp"

#include <dlfcn.h>

#include <type_traits>

#include "gpu/runtime/error_text.hpp"

namespace airamp::gpu::runtime {
namespace {

/// What became of the attempt to open it.
struct Opened {
  Opened() noexcept {
    // The application's own, if it has loaded one: two in one process would compete.
    void* const handle = dlopen(platform::ccl_library, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      const char* const reason = dlerror();
      describe(error, "opening the collective communication library",
               reason == nullptr ? platform::ccl_library : reason);
      return;
    }
    usable = find_functions(handle) && is_recent();
    if (!usable) dlclose(handle);
  }

  bool find_functions(void* handle) noexcept {
    const auto find = [handle, this](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
      if (function != nullptr) return true;
      dlerror();
      describe(error, "looking for a function of the collective communication library", name);
      return false;
    };
    return find(library.get_version, "ncclGetVersion") && find(library.get_unique_id, "ncclGetUniqueId") &&
           find(library.comm_init_rank, "ncclCommInitRank") && find(library.comm_destroy, "ncclCommDestroy") &&
           find(library.comm_abort, "ncclCommAbort") && find(library.comm_get_async_error, "ncclCommGetAsyncError") &&
           find(library.get_error_string, "ncclGetErrorString") && find(library.all_reduce, "ncclAllReduce") &&
           find(library.all_gather, "ncclAllGather") && find(library.reduce_scatter, "ncclReduceScatter") &&
           find(library.broadcast, "ncclBroadcast");
  }

  bool is_recent() noexcept {
    if (!library.succeeded(library.get_version(&library.version), "asking for a version", error)) return false;
    if (library.version >= CclLibrary::oldest_version) return true;
    describe(error, "opening the collective communication library", "it is older than version 2.10");
    return false;
  }

  CclLibrary library{};
  Error error;
  bool usable = false;
};

}  // namespace

const CclLibrary* CclLibrary::find(Error& error) noexcept {
  static const Opened opened;
  if (opened.usable) return &opened.library;
  error = opened.error;
  return nullptr;
}

bool CclLibrary::succeeded(Result result, const char* attempted, Error& error) const noexcept {
  if (result == Result::success) return true;
  describe(error, attempted, get_error_string(result));
  return false;
}

}  // namespace airamp::gpu::runtime
