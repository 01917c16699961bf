// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/state/call_sites/call_sites.hpp"
#include "telemetry/sampled_times.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {

inline constinit telemetry::SampledTimes<function_count> message_times;

/// Whether a call that waits for messages or requests is one that is not timed, and may go to the MPI library at once.
inline bool is_untimed(Function function) noexcept { return message_times.passes(static_cast<std::size_t>(function)); }

/// One call of the application that waits for messages or requests, from its entry to its return: timed where that is
/// published, unless others of its function are timed in its place. On the stack of the call's thread.
class TimedCall {
 public:
  explicit TimedCall(Function function) noexcept : function_(function) {
    if (is_untimed(function)) return;
    if (publisher().times_messages()) {
      entered_ = publisher().now();
    } else {
      message_times.pass_most(static_cast<std::size_t>(function));
    }
  }
  ~TimedCall() {
    if (entered_ == 0) return;
    const std::uint64_t left = publisher().now();
    if (left <= entered_) return;
    const auto index = static_cast<std::size_t>(function_);
    publisher().add_message_time(
        static_cast<std::uint16_t>(index),
        are_all_timed() ? left - entered_ : message_times.add(index, entered_, left, ticks_of_readings()));
    note_call_site(function_, 0, left - entered_);
  }
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;

 private:
  /// Call sites are told apart by each call; and several threads share no estimates.
  static bool are_all_timed() noexcept {
    return call_sites.load(std::memory_order_relaxed) != nullptr ||
           job().several_threads.load(std::memory_order_relaxed);
  }

  /// How long it takes to read the clock twice.
  static std::uint64_t ticks_of_readings() noexcept {
    static const std::uint64_t ticks = [] {
      std::uint64_t least = UINT64_MAX;
      for (int i = 0; i < 16; ++i) {
        const std::uint64_t first = publisher().now();
        least = std::min(least, publisher().now() - first);
      }
      return 2 * std::max<std::uint64_t>(least, 1);
    }();
    return ticks;
  }

  Function function_;
  std::uint64_t entered_ = 0;  ///< by the publisher's clock; 0: it is not timed
};

}  // namespace airamp::pmpi
