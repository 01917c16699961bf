// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/ordered_messages.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/cache_line.hpp"
#include "codec/codec.hpp"
#include "codec/exact_sum.hpp"
#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"
#include "pmpi/algorithm/registry.hpp"
#include "pmpi/call/promised_order.hpp"
#include "pmpi/group/shared_scratch.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {
namespace {

/// One latency less is worth it while all that a rank receives is a few messages of few bytes.
constexpr std::size_t max_whole_bytes = 16U << 10U;  // of all ranks' contributions
constexpr int max_whole_ranks = 32;

/// Fewer bytes are no work to share out: who has less of a vector spares all ranks a message.
constexpr std::size_t min_share = 512;

/// Longer messages gain nothing, nor do longer steps. The regions of the scratch have a step each.
constexpr std::size_t max_share = 256U << 10U;
constexpr std::size_t max_step = 4U << 20U;
constexpr std::size_t regions = 3;

/// So many ranks are sent to and received from at the same time.
constexpr int peers_at_once = 64;

/// Steps have half of the budget of scratch at most, which is the job's: the same on all ranks.
std::size_t largest_share(int size) {
  const auto budget = static_cast<std::size_t>(job().settings.host_scratch / (2 * regions));
  const std::size_t equal = std::min(max_step, budget) / static_cast<std::size_t>(size);
  return std::clamp(equal / base::cache_line * base::cache_line, base::cache_line, max_share);
}

/// Bytes of a rank's share of a vector, or of its block, of so many.
std::size_t share_bytes(Kind kind, std::uint64_t bytes, int size, std::size_t largest) {
  if (kind == Kind::reduce_scatter_block) return std::min<std::uint64_t>(bytes, largest);
  const auto ranks = static_cast<std::uint64_t>(size);
  const std::uint64_t equal = bytes / ranks + (bytes % ranks != 0 ? 1 : 0);
  return std::clamp(base::whole_cache_lines(std::min<std::uint64_t>(equal, largest)), std::min(min_share, largest),
                    largest);
}

bool is_whole(Kind kind, std::size_t bytes, int size) {
  return kind == Kind::allreduce && size <= max_whole_ranks &&
         bytes <= max_whole_bytes / static_cast<std::size_t>(size);
}

/// Room for one share for each rank, in calls of at most so many bytes. The next region is aligned to elements again.
std::size_t region_bytes(Kind kind, std::uint64_t max_bytes, int size, std::size_t largest) {
  const std::size_t shares = share_bytes(kind, max_bytes, size, largest) * static_cast<std::size_t>(size);
  return std::max(base::whole_cache_lines(shares), max_whole_bytes);
}

std::size_t rows_of(std::size_t bytes) { return (bytes + codec::wire_row_bytes - 1) / codec::wire_row_bytes; }

}  // namespace

OrderedMessages::OrderedMessages(Kind kind, const LocalFacts& facts, std::uint64_t max_bytes,
                                 std::shared_ptr<WireScratch> scratch, MessageRoute route, int rank)
    : kind_(kind),
      type_(facts.type),
      op_(facts.op),
      sums_exactly_(pmpi::sums_exactly(type_, op_, job().settings.reduction_order)),
      element_bytes_(size_of(type_)),
      rank_(rank),
      size_(static_cast<int>(route.ranks.size())),
      largest_share_(largest_share(size_)),
      region_bytes_(region_bytes(kind, max_bytes, size_, largest_share_)),
      scratch_(std::move(scratch)),
      tag_(route.tag),
      messages_(route.comm, std::move(route.ranks), rank, peers_at_once),
      tree_(SummationTree::pairs(size_)),
      places_(scratch_bytes(tree_)),
      contributions_(static_cast<std::size_t>(size_)) {
  scratch_->reserve(rows_of(regions * region_bytes_));
}

int OrderedMessages::execute(const CollectiveData& data) {
  WireScratch::Use scratch(*scratch_);
  own_ = scratch.row(0);
  received_ = own_ + region_bytes_;
  sums_ = received_ + region_bytes_;
  const std::size_t bytes = data.elements * element_bytes_;
  int error = MPI_SUCCESS;
  for (std::size_t begin = 0; begin < bytes && error == MPI_SUCCESS;) {
    const Step step = step_at(data, begin);
    error = carry(data, step);
    begin += kind_ == Kind::reduce_scatter_block ? step.share_bytes : step.bytes;
  }
  sent_bytes_ = messages_.take_sent_bytes();
  if (error != MPI_SUCCESS) scratch.abandon();
  return error;
}

/// The same on all ranks: a function of the call's length, and of the root.
OrderedMessages::Step OrderedMessages::step_at(const CollectiveData& data, std::size_t begin) const {
  const std::size_t bytes = data.elements * element_bytes_;
  const std::size_t left = bytes - begin;
  const auto ranks = static_cast<std::size_t>(size_);
  const std::size_t share = share_bytes(kind_, left, size_, largest_share_);
  if (kind_ == Kind::reduce_scatter_block) return {.begin = begin, .bytes = share * ranks, .share_bytes = share};
  return {.begin = begin,
          .bytes = std::min(left, share * ranks),
          .share_bytes = share,
          .first_owner = kind_ == Kind::reduce ? data.root : 0,
          .whole = is_whole(kind_, bytes, size_)};
}

/// A rank's share of a step that lies in `region`; empty if it has none.
std::span<std::byte> OrderedMessages::share(std::byte* region, const Step& step, int rank) const {
  if (step.whole) return {region, step.bytes};
  const int number = (rank - step.first_owner + size_) % size_;
  const auto [begin, bytes] = chunk_of(step.bytes, step.share_bytes, static_cast<std::size_t>(number));
  return {region + begin, bytes};
}

/// Where a rank's contribution to this rank's share arrives.
std::byte* OrderedMessages::contribution_of(int rank, const Step& step) const {
  return received_ + static_cast<std::size_t>(rank) * (step.whole ? step.bytes : step.share_bytes);
}

int OrderedMessages::carry(const CollectiveData& data, const Step& step) {
  lay_out(data, step);
  const std::size_t own_bytes = share(own_, step, rank_).size();
  const int error = messages_.exchange(
      tag_, [&](int rank) { return share(own_, step, rank); },
      [&](int rank) {
        return std::span{contribution_of(rank, step), own_bytes};
      });
  if (error != MPI_SUCCESS) return error;
  add(step);
  if (const int failure = hand_out(data, step); failure != MPI_SUCCESS) return failure;
  take(data, step);
  return MPI_SUCCESS;
}

void OrderedMessages::lay_out(const CollectiveData& data, const Step& step) const {
  const auto* const input = static_cast<const std::byte*>(data.input) + step.begin;
  if (kind_ != Kind::reduce_scatter_block) {
    std::memcpy(own_, input, step.bytes);
    return;
  }
  for (int rank = 0; rank < size_; ++rank) {
    const auto block = static_cast<std::size_t>(rank) * data.elements * element_bytes_;
    std::memcpy(share(own_, step, rank).data(), input + block, step.share_bytes);
  }
}

/// In the floating-point environment of the application.
void OrderedMessages::add(const Step& step) {
  const std::span<std::byte> own = share(own_, step, rank_);
  std::byte* const result = share(sums_, step, rank_).data();
  for (int rank = 0; rank < size_; ++rank) {
    contributions_[static_cast<std::size_t>(rank)] = rank == rank_ ? own.data() : contribution_of(rank, step);
  }
  const std::size_t elements = own.size() / element_bytes_;
  if (sums_exactly_) return codec::sum_exactly(type_, contributions_.data(), contributions_.size(), elements, result);
  reduce_by_tree(tree_, type_, op_, contributions_.data(), elements, places_.data(), result);
}

/// This rank's sums to who is to have them but has not added them.
int OrderedMessages::hand_out(const CollectiveData& data, const Step& step) {
  if (step.whole || kind_ == Kind::reduce_scatter_block) return MPI_SUCCESS;
  const auto is_to_have = [&](int rank) { return kind_ == Kind::allreduce || rank == data.root; };
  const auto sums_of = [&](int owner, int reader) {
    return is_to_have(reader) ? share(sums_, step, owner) : std::span<std::byte>{};
  };
  return messages_.exchange(
      tag_ + 1, [&](int rank) { return sums_of(rank_, rank); }, [&](int rank) { return sums_of(rank, rank_); });
}

void OrderedMessages::take(const CollectiveData& data, const Step& step) const {
  if (data.outputs == 0) return;
  const bool own_alone = kind_ == Kind::reduce_scatter_block;
  const std::span<const std::byte> sums = own_alone ? share(sums_, step, rank_) : std::span{sums_, step.bytes};
  if (!sums.empty()) std::memcpy(static_cast<std::byte*>(data.output) + step.begin, sums.data(), sums.size());
}

namespace {

/// Wherever an order is promised, and nowhere else.
bool carries(const AgreedFacts& facts) {
  return is_order_promised(facts.kind, facts.local) && reduces_by_tree(facts.local.type, facts.local.op);
}

Acquired acquire(const Acquisition& acquisition) {
  Acquired messages = acquire_messages(acquisition);
  if (messages.error != MPI_SUCCESS || !messages.why_not.empty()) return messages;
  return acquire_with_scratch(acquisition, [&] {
    return std::make_unique<OrderedMessages>(acquisition.kind, acquisition.facts, acquisition.max_bytes,
                                             shared_scratch(acquisition.resources), route_for(acquisition),
                                             acquisition.rank);
  });
}

}  // namespace

extern constexpr AlgorithmEntry ordered_messages_entry{.order = 6, .carries = carries, .acquire = acquire};

}  // namespace airamp::pmpi
