// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/start_vote.hpp"

#include <algorithm>
#include <utility>

namespace airamp::pmpi {
namespace {

constexpr unsigned bits_of_votes = 9;

constexpr std::uint64_t no_vote = 0;
constexpr std::uint64_t vote_of(std::uint64_t call, std::uint64_t votes) { return call << bits_of_votes | votes; }
constexpr std::uint64_t call_in(std::uint64_t vote) { return vote >> bits_of_votes; }
constexpr std::uint64_t votes_in(std::uint64_t vote) { return vote & StartVote::max_ranks; }
static_assert(StartVote::max_ranks == (1U << bits_of_votes) - 1);

}  // namespace

bool StartVote::begins(Shared& shared, std::uint64_t ranks, std::uint64_t call, bool votes) noexcept {
  // ranks that come apart vote often, and each look takes the word from another one's cache
  if (call < voted_for_) return false;
  std::uint64_t seen = shared.vote.load(std::memory_order_acquire);
  const auto replace = [&](std::uint64_t vote) {
    return shared.vote.compare_exchange_weak(seen, vote, std::memory_order_acq_rel, std::memory_order_acquire);
  };
  const auto call_off = [&] {
    if (replace(no_vote)) distance_ = std::min(2 * distance_, longest_distance);
  };
  for (;;) {
    const std::uint64_t proposed = call_in(seen);
    const bool carried = votes_in(seen) == ranks;
    if (voted_for_ != 0 && proposed == voted_for_) {
      if (carried) return std::exchange(voted_for_, 0) == call;
      call_off();  // some rank has not voted, and will find that it need not
      continue;
    }
    if (voted_for_ != 0 && shared.carried.load(std::memory_order_acquire) == voted_for_) {
      // it was carried: others have come to it, and to later calls
      return call == voted_for_ && std::exchange(voted_for_, 0) == call;
    }
    voted_for_ = 0;
    const bool under_way = seen != no_vote && !carried;
    if (!votes && (!under_way || proposed > call)) return false;
    if (!under_way) {
      if (carried) shared.carried.store(proposed, std::memory_order_release);
      if (!replace(vote_of(call + distance_, 1))) continue;
      voted_for_ = call + distance_;
      return false;
    }
    if (proposed <= call) {
      call_off();
    } else if (replace(seen + 1)) {
      voted_for_ = proposed;
      return false;
    }
  }
}

}  // namespace airamp::pmpi
