// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

namespace airamp::pmpi {

/// Waiting in a loop: at first without pause, for what is waited for is often there in less time than a pause takes,
/// then with pauses, then leaving the core to others. With more ranks than cores it leaves the core at once: what is
/// waited for is done by a rank that needs one.
class Spin {
 public:
  /// One turn of waiting. Whether it is time to look after other things (after some microseconds, and every so often).
  bool once() noexcept {
    if (++turns_ <= turns_without_pause) return false;
    if (turns_ > turns_before_yield.load(std::memory_order_relaxed)) {
      sched_yield();
      return true;
    }
    relax();
    return turns_ >= turns_alone && turns_ % turns_between == 0;
  }

  /// Says whether every rank has a core of its own, from now on. Who leaves its core then gets it back late: the
  /// system's other work is there for longer than a rank waits.
  static void set_own_core(bool own) noexcept {
    turns_before_yield.store(own ? turns_before_late_yield : turns_before_early_yield, std::memory_order_relaxed);
  }

  /// Whether it has paused: some tenths of a microsecond have passed.
  bool has_paused() const noexcept { return turns_ > turns_without_pause; }

 private:
  static constexpr std::uint32_t turns_without_pause = 200;
  static constexpr std::uint32_t turns_alone = 1000;  // about 20 us
  static constexpr std::uint32_t turns_between = 64;
  static constexpr std::uint32_t turns_before_early_yield = turns_without_pause;
  static constexpr std::uint32_t turns_before_late_yield = 100000;  // some milliseconds

  static inline std::atomic<std::uint32_t> turns_before_yield{turns_before_early_yield};

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
