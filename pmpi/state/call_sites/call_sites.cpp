// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/call_sites/call_sites.hpp"

#include <algorithm>
#include <new>
#include <span>

namespace airamp::pmpi {

void CallSites::note(Function function, std::uint64_t bytes, std::uint64_t ticks) noexcept {
  Key key{.function = function};
  stack_.read(std::span(key.frames).first(frames_));
  try {
    const std::lock_guard lock(mutex_);
    if (sums_.size() >= max_sites && !sums_.contains(key)) key.frames = {};
    Sums& sums = sums_[key];
    ++sums.calls;
    sums.bytes += bytes;
    sums.ticks += ticks;
  } catch (const std::bad_alloc&) {
  }
}

std::vector<std::pair<CallSites::Key, CallSites::Sums>> CallSites::most_expensive(std::size_t count) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<Key, Sums>> sites(sums_.begin(), sums_.end());
  std::ranges::stable_sort(sites, std::ranges::greater(), [](const auto& site) { return site.second.ticks; });
  sites.resize(std::min(sites.size(), count));
  return sites;
}

}  // namespace airamp::pmpi
