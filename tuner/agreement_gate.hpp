// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::tuner {

/// How soon calls are given up that are asked about in vain.
struct Patience {
  std::uint64_t answers = 0;          ///< in vain in a row that are followed by no pause
  std::uint64_t longest_pause = 256;  ///< calls that pass between two agreements, at most
};

/// Decides which calls of one (communicator, function, size bucket) run an agreement at all, of one kind or another. An
/// agreement costs something; where it keeps ending in "native", or in a veto, more and more calls go without one.
/// Depends on agreed outcomes alone, so that all ranks skip the same calls.
class AgreementGate {
 public:
  /// Whether this call is to run an agreement; counts it as skipped if not. Once per call, of which most are not.
  bool open() {
    if (left_ == 0) return true;
    --left_;
    ++skipped_;
    return false;
  }

  /// The agreement ended with an accelerated or a measured call: the next call runs one as well.
  void keep_asking();

  /// The agreement ended in native and there is no reason why the next should not: the pause doubles.
  void back_off(const Patience& patience = {});

  /// The agreement did not take place: so many calls pass before the next.
  void pause(std::uint64_t calls);

  /// Whether the next call would not.
  bool is_paused() const { return left_ > 0; }

  /// Calls skipped since the last agreement.
  std::uint64_t skipped() const { return skipped_; }

 private:
  std::uint64_t in_vain_ = 0;  ///< in a row
  std::uint64_t pause_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t left_ = 0;
};

}  // namespace airamp::tuner
