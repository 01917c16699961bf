// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Preloaded into MPICH's ranks in tests: a rank that waits for messages in UCX leaves its processor to the others. Open
// MPI has a setting for that; MPICH's (MPIR_CVAR_POLLS_BEFORE_YIELD) does nothing over UCX.
#include <dlfcn.h>
#include <sched.h>

using Progress = unsigned (*)(void*);

extern "C" [[gnu::visibility("default")]] unsigned ucp_worker_progress(void* worker) {
  static const auto progress = reinterpret_cast<Progress>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
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
