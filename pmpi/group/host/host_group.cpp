// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/host_group.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/digest.hpp"
#include "core/reduction_order.hpp"
#include "pmpi/job/job.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

/// All of a communicator's memory, about, where there is not more; /dev/shm of a container often has 64 MiB in all.
constexpr std::size_t small_memory = 8U << 20U;
constexpr std::size_t smallest_chunk = 16U << 10U;
/// From here on what ranks wait for each other between two chunks is little (docs/performance.md). No power of two: the
/// ranks' chunks would lie in the same sets of a second-level cache.
constexpr std::size_t good_chunk = 112U << 10U;
constexpr std::size_t largest_chunk = 256U << 10U;
constexpr std::size_t page = 4096;

/// Of so many chunks that they take a small memory, if none is smaller than `smallest`.
std::size_t chunk_for(std::size_t chunks, std::size_t smallest) {
  const std::size_t share = small_memory / chunks;
  return std::clamp(share / page * page, smallest, largest_chunk);
}

}  // namespace

HostGroup::HostGroup(int rank, int size) : rank_(rank), size_(size) {}

Result<bool> HostGroup::open(const Sharers& sharers) {
  const Result<bool> met = meeting_.open(sharers, rank_, size_);
  if (!met.ok() || !*met) return met;
  if (job().gpus) return open(narrow_, sharers, page, 0);
  const std::size_t of_broadcasts = BroadcastRing::shared_bytes(size_);
  // where an order is promised all ranks agree on every reduction
  const bool leaves = size_ <= ContributionRing::max_ranks && !promises_bits(job().settings.reduction_order);
  const std::size_t of_both = of_broadcasts + (leaves ? ContributionRing::shared_bytes(size_) : 0);
  const Result<bool> opened = open(narrow_, sharers, page, of_both);
  if (opened.ok() && *opened) {
    std::byte* const behind = place(chunks());
    broadcasts_.emplace(behind, meeting_, rank_, size_);
    if (leaves) contributions_.emplace(behind + of_broadcasts, meeting_, rank_, size_);
  }
  return opened;
}

Result<bool> HostGroup::open(SharedSegment& segment, const Sharers& sharers, std::size_t chunk_bytes,
                             std::size_t bytes_behind) {
  const std::size_t chunks_bytes = chunks() * (chunk_bytes + bytes_apart);
  const Result<bool> opened = segment.open(sharers, chunks_bytes + bytes_behind, [] { return true; });
  if (opened.ok() && *opened) {
    segment.close_descriptor();
    chunks_ = segment.data();
    chunk_bytes_ = chunk_bytes;
  }
  return opened;
}

Result<bool> HostGroup::widen(const Sharers& sharers) {
  if (tried_to_widen_) return wide_.data() != nullptr;
  tried_to_widen_ = true;
  const std::size_t good = chunk_for(chunks(), good_chunk);
  const std::size_t small = chunk_for(chunks(), smallest_chunk);
  const std::size_t of_chain = RankChain::shared_bytes(size_);
  Result<bool> opened = open(wide_, sharers, good, of_chain);
  if (opened.ok() && !*opened && small != good) opened = open(wide_, sharers, small, of_chain);
  if (opened.ok() && *opened) chain_.emplace(place(chunks()), meeting_, rank_, size_);
  return opened;
}

std::size_t HostGroup::longest_start(int size) {
  return (job().gpus ? StartRing::for_short : StartRing::for_long(size)).max_bytes;
}

Result<bool> HostGroup::make_starts(MPI_Comm comm, std::size_t max_bytes) {
  Started& room = started(max_bytes);
  if (room.tried) return room.running.has_value();
  room.tried = true;
  if (size_ > StartRing::max_ranks || max_bytes > longest_start(size_)) return false;
  const bool is_short = max_bytes <= StartRing::for_short.max_bytes;
  const StartRing::Division division = is_short ? StartRing::for_short : StartRing::for_long(size_);
  const auto prepare = [&] {
    room.running.emplace(room.segment.data(), meeting_, rank_, size_, division);
    return room.running->open() == MPI_SUCCESS;
  };
  const Result<bool> opened = room.segment.open({comm, rank_}, StartRing::shared_bytes(size_, division), prepare);
  if (opened.ok() && *opened) {
    room.segment.close_descriptor();
  } else {
    room.running.reset();
  }
  return opened;
}

bool HostGroup::tell_whether_met() {
  if (!meeting_.has_failed()) return true;
  if (!meeting_.is_revoked()) {
    telemetry::log(config::LogLevel::error, "the process of another rank has ended during a collective");
  }
  return false;
}

Result<Made<std::unique_ptr<HostGroup>>> HostGroup::create(const Sharers& sharers, int rank, int size) {
  using MadeGroup = Made<std::unique_ptr<HostGroup>>;
  std::unique_ptr<HostGroup> made(new HostGroup(rank, size));
  const Result<bool> opened = made->open(sharers);
  if (!opened.ok()) return MpiError{opened.error()};
  if (!*opened) return MadeGroup::not_made("the host has no shared memory for it");
  return MadeGroup{.made = std::move(made), .why_not = {}};
}

std::uint64_t HostGroup::digest() const noexcept {
  base::Digest digest;
  digest.add(meeting_.digest());
  if (broadcasts_) digest.add(broadcasts_->messages());
  if (contributions_) digest.add(contributions_->calls());
  digest.add(chain_ ? chain_->pieces() + 1 : 0);
  digest.add(tried_to_widen_ ? chunk_bytes_ : 0);
  digest.add(shift_);
  return digest.value();
}

bool HostGroup::goes_on() const noexcept {
  return meeting_.goes_on() && (!broadcasts_ || broadcasts_->all_were_left());
}

void HostGroup::Started::forget() noexcept {
  running.reset();
  segment.close();
  tried = false;
}

void HostGroup::forget_starts() noexcept {
  short_started_.forget();
  long_started_.forget();
}

std::size_t HostGroup::shared_bytes() const noexcept {
  return meeting_.shared_bytes() + narrow_.bytes() + wide_.bytes();
}

}  // namespace airamp::pmpi
