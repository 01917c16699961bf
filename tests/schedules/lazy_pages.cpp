// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// AIRamp's scratch is there with all its pages before the first call. Programs of a millisecond that touch a few of
// them would spend it on the others: here pages come when they are touched.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

// NOLINTNEXTLINE(readability-identifier-naming): the C library's name
extern "C" void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  const long place = syscall(SYS_mmap, address, bytes, protection, flags & ~MAP_POPULATE, file, offset);
  return reinterpret_cast<void*>(place);  // -1 is MAP_FAILED
}
