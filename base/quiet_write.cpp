// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/quiet_write.hpp"

#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <initializer_list>

namespace airamp::base {

WriteSignalsBlocked::WriteSignalsBlocked() noexcept {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigemptyset(&to_drop_);
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    sigaddset(&blocked, signal);
    if (sigismember(&pending, signal) == 0) sigaddset(&to_drop_, signal);
  }
  blocked_ = pthread_sigmask(SIG_BLOCK, &blocked, &mask_before_) == 0;
}

WriteSignalsBlocked::~WriteSignalsBlocked() {
  if (!blocked_) return;
  const int error = errno;
  constexpr timespec at_once{.tv_sec = 0, .tv_nsec = 0};
  while (sigtimedwait(&to_drop_, nullptr, &at_once) >= 0 || errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  errno = error;
}

ssize_t quiet_write(int descriptor, const void* bytes, std::size_t count) noexcept {
  const WriteSignalsBlocked blocked;
  return write(descriptor, bytes, count);
}

}  // namespace airamp::base
