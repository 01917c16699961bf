// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace airamp::pmpi {

/// In which calls a rank waits for others for a moment, where it can do without. Not where they are late again and
/// again: after a wait in vain it does not wait for 16 calls, after the next for 32, and so on. A wait in time takes
/// back one doubling: others that are late once, as their processor had other things to do, are soon waited for again.
class WaitPauses {
 public:
  bool may_wait(std::uint64_t call) const noexcept { return call >= again_at_; }

  void waited_in_vain(std::uint64_t call) noexcept {
    again_at_ = call + (first_pause << std::min(doublings_, most_doublings));
    ++doublings_;
  }

  void waited_in_time() noexcept {
    if (doublings_ > 0) --doublings_;
  }

 private:
  static constexpr std::uint64_t first_pause = 16;
  static constexpr unsigned most_doublings = 40;

  std::uint64_t again_at_ = 0;
  unsigned doublings_ = 0;
};

}  // namespace airamp::pmpi
