// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/ghost_run.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace airamp::fake_gpu {
namespace {

bool blocks_signals() {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (const int signal : {SIGTERM, SIGINT, SIGCHLD, SIGUSR1, SIGUSR2, SIGALRM, SIGPROF}) {
    if (sigismember(&blocked, signal) != 1) return false;
  }
  return true;
}

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fake GPU: %s\n", what);
  std::abort();
}

}  // namespace

void GhostRun::start() {
  demand(!is_running(), "two ghosts at a time");
  demand(blocks_signals(), "a ghost is launched by a thread that may have to handle signals");
  fake_gpu_count_ghost();
  steps_left_ = 2;
}

}  // namespace airamp::fake_gpu
