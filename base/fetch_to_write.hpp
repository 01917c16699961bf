// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::base {

/// Has the processor fetch a cache line that this thread is going to write, and that others have read since it wrote it
/// last: to get it back takes as long as a message. Not waited for.
inline void fetch_to_write([[maybe_unused]] const void* line) noexcept {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

}  // namespace airamp::base
