// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>

#include <atomic>

namespace airamp::pmpi {

/// Locks on single bytes of a file, which the operating system takes from a process when it ends. (Not those of open
/// file descriptions: a child that the process leaves behind would go on holding them.) Thread-safe.
class FileLock {
 public:
  /// Takes the lock on byte `place` for this process, if no other one holds it. Whether it is held.
  static bool take(int file, int place) noexcept {
    struct flock lock = lock_on(place);
    return call.load(std::memory_order_relaxed)(file, F_SETLK, &lock) == 0;
  }

  /// Whether no other process holds it. False if that cannot be told.
  static bool is_free(int file, int place) noexcept {
    struct flock lock = lock_on(place);
    return call.load(std::memory_order_relaxed)(file, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
  }

  using Call = int (*)(int file, int command, struct flock* lock) noexcept;
  static int system_call(int file, int command, struct flock* lock) noexcept { return fcntl(file, command, lock); }

  /// Whom it asks. Tests whose ranks are threads of one process set another.
  static inline std::atomic<Call> call{&system_call};

 private:
  static struct flock lock_on(int place) noexcept {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = place;
    lock.l_len = 1;
    return lock;
  }
};

}  // namespace airamp::pmpi
