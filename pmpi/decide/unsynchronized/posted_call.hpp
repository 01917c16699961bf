// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {

/// What this rank sees of a call that may be posted. Of what depends on values none is, so that nobody need look at
/// those.
LocalFacts facts_of_posted(const CollectiveCall& collective, std::uint64_t bytes);

/// Remembers a call of such facts, which was posted by a signature's candidate. Returns its shortcut; nullptr if it has
/// none, and the next one is looked at as well.
Shortcut* remember_posted(const CollectiveCall& collective, const LocalFacts& facts, CommunicatorState& state,
                          SignatureState& signature, std::size_t candidate);

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
