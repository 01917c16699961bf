// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "pmpi/decide/carry_out.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {

/// Counts a call that was posted, and now and then takes its time.
class PostedCall {
 public:
  explicit PostedCall(SignatureState& signature) : signature_(signature) {
    if (is_timed(signature)) watch_.emplace();
  }
  void count(std::uint64_t bytes) const {
    if (watch_) signature_.airamp_seconds.record(watch_->seconds());
    count_carried(signature_, bytes);
  }

 private:
  SignatureState& signature_;
  std::optional<Stopwatch> watch_;
};

}  // namespace airamp::pmpi
