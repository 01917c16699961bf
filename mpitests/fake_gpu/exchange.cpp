// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/fake_gpu/exchange.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace airamp::fake_gpu {
namespace {

constexpr std::size_t counter_bytes = 1024;

std::uint64_t load(std::uint64_t& counter) { return ~std::atomic_ref(counter).load(std::memory_order_acquire); }

/// From `before` to the next number; anything else means that two collectives share a region, or that the one before
/// did not leave it as it must.
void advance(std::uint64_t& counter, std::uint64_t before) {
  if (load(counter) != before) {
    std::fputs("fake GPU: a region is used by two collectives at a time, or was not all 0xff\n", stderr);
    std::abort();
  }
  std::atomic_ref(counter).store(~(before + 1), std::memory_order_release);
}

}  // namespace

/// What one rank writes into the region of another.
struct alignas(64) Exchange::Line {
  std::uint64_t sent;   ///< rounds
  std::uint64_t taken;  ///< rounds in which it has taken what the region's owner sent
};

Exchange::Exchange(const gpu::PeerCollective& collective)
    : collective_(collective),
      slot_bytes_((collective.region_bytes - counter_bytes) / static_cast<std::size_t>(collective.size) / 512 * 512) {
  static_assert(gpu::max_peers * sizeof(Line) <= counter_bytes);
  if (collective.region_bytes < counter_bytes) slot_bytes_ = 0;
}

Exchange::Line& Exchange::line(int owner, int writer) const {
  return reinterpret_cast<Line*>(collective_.region[static_cast<std::size_t>(owner)])[writer];
}

bool Exchange::may_send(int peer) const { return load(line(collective_.rank, peer).taken) == round_; }

std::byte* Exchange::outgoing(int peer) const {
  return collective_.region[static_cast<std::size_t>(peer)] + counter_bytes +
         static_cast<std::size_t>(collective_.rank) * slot_bytes_;
}

void Exchange::send(int peer) { advance(line(peer, collective_.rank).sent, round_); }

bool Exchange::arrived(int peer) const { return load(line(collective_.rank, peer).sent) == round_ + 1; }

const std::byte* Exchange::incoming(int peer) const {
  return collective_.region[static_cast<std::size_t>(collective_.rank)] + counter_bytes +
         static_cast<std::size_t>(peer) * slot_bytes_;
}

void Exchange::end_round() {
  for (int peer = 0; peer < collective_.size; ++peer) {
    if (peer != collective_.rank) advance(line(peer, collective_.rank).taken, round_);
  }
  ++round_;
}

bool Exchange::quiet() const {
  for (int peer = 0; peer < collective_.size; ++peer) {
    if (peer != collective_.rank && !may_send(peer)) return false;
  }
  return true;
}

void Exchange::erase(std::size_t used) const {
  std::byte* region = collective_.region[static_cast<std::size_t>(collective_.rank)];
  std::memset(region, 0xff, counter_bytes);
  for (std::size_t peer = 0; peer < static_cast<std::size_t>(collective_.size); ++peer) {
    std::memset(region + counter_bytes + peer * slot_bytes_, 0xff, used);
  }
}

}  // namespace airamp::fake_gpu
