// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <cstdint>

namespace airamp::pmpi {

/// Waiting in a loop: at first without pause, for what is waited for is often there in less time than a pause takes,
/// then with pauses, then leaving the core to others, for there may be more ranks than cores.
class Spin {
 public:
  /// One turn of waiting. Whether it is time to look after other things (after some microseconds, and every so often).
  bool once() noexcept {
    ++turns_;
    if (turns_ < turns_alone) {
      if (turns_ > turns_without_pause) relax();
      return false;
    }
    relax();
    if (turns_ < turns_before_yield) return turns_ % turns_between == 0;
    sched_yield();
    return true;
  }

  /// Whether it has paused: some tenths of a microsecond have passed.
  bool has_paused() const noexcept { return turns_ > turns_without_pause; }

 private:
  static constexpr std::uint32_t turns_without_pause = 200;
  static constexpr std::uint32_t turns_alone = 1000;  // about 20 us
  static constexpr std::uint32_t turns_between = 64;
  static constexpr std::uint32_t turns_before_yield = 4000;

  static void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield" ::: "memory");
#endif
  }

  std::uint32_t turns_ = 0;
};

}  // namespace airamp::pmpi
