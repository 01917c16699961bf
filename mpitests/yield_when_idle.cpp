// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Preloaded into MPICH's ranks in tests: a rank that waits for messages in UCX leaves its processor to the others. Open
// MPI has a setting for that; MPICH's (MPIR_CVAR_POLLS_BEFORE_YIELD) does nothing over UCX.
#include <dlfcn.h>
#include <sched.h>

namespace {

using Progress = unsigned (*)(void*);

/// UCX's own. Where a program loads its MPI library at run time, as Python does, UCX is not among the libraries that
/// follow this one.
Progress find_progress() {
  constexpr const char* name = "ucp_worker_progress";
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    void* const ucx = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
    found = ucx != nullptr ? dlsym(ucx, name) : nullptr;
  }
  return reinterpret_cast<Progress>(found);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] unsigned ucp_worker_progress(void* worker) {
  static const Progress progress = find_progress();
  constexpr int patience = 20;
  thread_local int idle = 0;
  const unsigned events = progress(worker);
  idle = events == 0 ? idle + 1 : 0;
  if (idle == patience) {
    sched_yield();
    idle = 0;
  }
  return events;
}
