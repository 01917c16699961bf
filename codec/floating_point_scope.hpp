// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace airamp::codec {

/// While alive: round to nearest even, subnormals kept, no traps; afterwards the calling thread's own modes and
/// exception flags again. Applications built with -ffast-math flush subnormals, others trap on invalid operations.
class FloatingPointScope {
 public:
  FloatingPointScope(const FloatingPointScope&) = delete;
  FloatingPointScope& operator=(const FloatingPointScope&) = delete;

#if defined(__SSE2__)
  FloatingPointScope() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~FloatingPointScope() { _mm_setcsr(saved_); }

 private:
  unsigned saved_;
#else
  FloatingPointScope() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatingPointScope() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif
};

}  // namespace airamp::codec
