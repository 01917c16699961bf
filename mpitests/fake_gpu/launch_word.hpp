// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

namespace airamp::fake_gpu {

/// How far the launches of a queue are, in memory of all ranks: which launch is next, and whether it has begun or never
/// will. Whoever asks first settles it.
class LaunchWord {
 public:
  /// The word at `place`, of whoever opens the queue.
  static LaunchWord* make(std::byte* place, std::uint64_t number) { return new (place) LaunchWord(number); }
  /// Another rank's.
  static LaunchWord* at(std::byte* place) { return reinterpret_cast<LaunchWord*>(place); }

  /// Whether the launch runs; false if it was called off before.
  bool begin(std::uint64_t number) { return settle(number, begun); }
  /// Whether it never will.
  bool call_off(std::uint64_t number) { return settle(number, never); }
  bool is_open(std::uint64_t number) const { return word_ == number * 4; }
  /// The launch is over; the next one has the next number.
  void end(std::uint64_t number) { word_ = (number + 1) * 4; }
  /// As scratch memory is that nobody uses.
  void erase() { word_ = ~std::uint64_t{0}; }

 private:
  static constexpr std::uint64_t begun = 1;
  static constexpr std::uint64_t never = 2;

  explicit LaunchWord(std::uint64_t number) : word_(number * 4) {}

  bool settle(std::uint64_t number, std::uint64_t as) {
    std::uint64_t open = number * 4;
    return word_.compare_exchange_strong(open, open + as) || open == number * 4 + as;
  }

  std::atomic<std::uint64_t> word_;
};

}  // namespace airamp::fake_gpu
