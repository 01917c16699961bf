// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/job/counting.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/state/call_sites/call_sites.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {

/// One call of the application that waits for messages or requests, from its entry to its return: counted, and timed
/// where that is published. On the stack of the call's thread.
class TimedCall {
 public:
  explicit TimedCall(Function function) noexcept : function_(function) {
    count_call(function, 0);
    if (publisher().times_messages()) entered_ = publisher().now();
  }
  ~TimedCall() {
    if (entered_ == 0) return;
    const std::uint64_t left = publisher().now();
    publisher().add_message_time(static_cast<std::uint16_t>(function_), entered_, left);
    note_call_site(function_, 0, left - entered_);
  }
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;

 private:
  Function function_;
  std::uint64_t entered_ = 0;  ///< by the publisher's clock; 0: it is not timed
};

}  // namespace airamp::pmpi
