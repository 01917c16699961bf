// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Preloaded beside AIRamp: a system that makes no files without a path, so that /dev/shm alone has memory to share.
#include <cerrno>

extern "C" [[gnu::visibility("default")]] int memfd_create(const char* /*name*/, unsigned /*flags*/) {
  errno = ENOSYS;
  return -1;
}
