// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/host_two_level.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <span>

#include "pmpi/algorithm/orders/native_order.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"
#include "pmpi/algorithm/registry.hpp"
#include "pmpi/call/promised_order.hpp"

namespace airamp::pmpi {
namespace {

/// Of so few bytes every host reduces all of a part: one latency less. So do two hosts, who send no more then.
constexpr std::size_t max_whole_bytes = 4096;

/// Of a chunk shared out among so many ranks.
std::size_t largest_part(std::size_t bytes, int ranks) {
  std::size_t largest = 0;
  for (int rank = 0; rank < ranks; ++rank) largest = std::max(largest, part_of(bytes, rank, ranks).bytes);
  return largest;
}

/// The ranks of this one's place, by host.
std::vector<int> ranks_of_rail(const GridPlace& place, const std::vector<int>& ranks) {
  std::vector<int> rail;
  for (const int rank : place.rail) rail.push_back(ranks[static_cast<std::size_t>(rank)]);
  return rail;
}

/// Whichever: all give the same result, or the user has asked for any.
NestedOrder any_order(const GridPlace& place) {
  return {.within = SummationTree::chain(place.ranks_on_host), .between = SummationTree::chain(place.hosts)};
}

}  // namespace

HostTwoLevelAllreduce::HostTwoLevelAllreduce(HostGrid& grid, MPI_Comm comm, int rank, const LocalFacts& facts,
                                             const MessageRoute& route)
    : OrderedReduction(Kind::allreduce, comm, rank, static_cast<int>(grid.place().host_of.size()), facts,
                       Asks::about_likely_orders),
      grid_(grid),
      host_(grid.host()),
      op_(facts.op),
      by_host_(depends_on_order(facts.type, facts.op) && !keeps_own_order()),
      part_bytes_(largest_part(host_.chunk_bytes(), host_.size())),
      sums_(part_bytes_),
      received_(part_bytes_ * static_cast<std::size_t>(grid.place().hosts)),
      contributions_(static_cast<std::size_t>(std::max(grid.place().ranks_on_host, grid.place().hosts))),
      tag_(route.tag),
      messages_(route.comm, ranks_of_rail(grid.place(), route.ranks), grid.place().host, grid.place().hosts) {
  if (!by_host_) nested_ = any_order(grid.place());
}

/// How a call adds, the same on all ranks; nullptr if that is not known, or not one host after the other.
const NestedOrder* HostTwoLevelAllreduce::order_of(const CollectiveData& data) {
  if (by_host_) {
    const SummationTree* const tree = known_order(data);
    if (tree == nullptr) return nullptr;
    if (!nested_of_ || !(*nested_of_ == *tree)) {
      nested_ = nest(*tree, grid_.place().host_of, grid_.place().host);
      nested_of_ = *tree;
    }
  }
  if (!nested_) return nullptr;
  const std::size_t needed = std::max(scratch_bytes(nested_->within), scratch_bytes(nested_->between));
  if (scratch_.size() < needed) scratch_.resize(needed);
  return &*nested_;
}

int HostTwoLevelAllreduce::execute(const CollectiveData& data) {
  if (const int error = find_order_if_it_pays(data); error != MPI_SUCCESS) return error;
  const NestedOrder* const order = order_of(data);
  if (order == nullptr) {
    const bool asked = known_order(data) != nullptr || why_no_order(data) == Reason::no_order_of_sums;
    why_called_off_ = asked ? Reason::order_not_by_host : Reason::order_not_asked;
    return MPI_SUCCESS;
  }
  why_called_off_ = Reason::none;
  return carry({.data = data, .bytes = data.elements * element_bytes(), .order = *order});
}

Result<bool> HostTwoLevelAllreduce::prepare_trial(const CollectiveData& data) {
  const Result<bool> confirmed = confirm_order_of(data);
  if (!confirmed.ok() || !*confirmed) return confirmed;
  return order_of(data) != nullptr;
}

/// A rank whose messages fail meets the others of its host no more, and they are not to wait for it.
int HostTwoLevelAllreduce::carry(const Whole& call) {
  const int error = carry_in_chunks(call);
  sent_bytes_ = messages_.take_sent_bytes();
  if (error != MPI_SUCCESS) host_.meeting().revoke();
  return error;
}

/// As SharedMemoryAllreduce: places for contributions and for results take turns, and what lies between two
/// meetings touches no place that another rank may still use. The messages of a chunk are under way while this rank
/// copies what belongs to the chunks beside it.
int HostTwoLevelAllreduce::carry_in_chunks(const Whole& call) {
  const std::size_t all = chunks_of(call.bytes, host_.chunk_bytes());
  contribute(call, 0);
  if (!host_.meet()) return MPI_ERR_OTHER;
  for (std::size_t chunk = 0; chunk < all; ++chunk) {
    const Chunk part = part_of(chunk_at(call, chunk).bytes, host_.rank(), host_.size());
    reduce_on_host(call, chunk, part);
    if (const int error = reduce_between_hosts(call, chunk, part); error != MPI_SUCCESS) return error;
    if (!host_.meet()) return MPI_ERR_OTHER;
  }
  read_result(call, all - 1);
  return MPI_SUCCESS;
}

Chunk HostTwoLevelAllreduce::chunk_at(const Whole& call, std::size_t chunk) const {
  return chunk_of(call.bytes, host_.chunk_bytes(), chunk);
}

void HostTwoLevelAllreduce::contribute(const Whole& call, std::size_t chunk) const {
  const auto [begin, bytes] = chunk_at(call, chunk);
  if (bytes == 0) return;
  std::memcpy(host_.contribution(host_.rank(), chunk), static_cast<const std::byte*>(call.data.input) + begin, bytes);
}

void HostTwoLevelAllreduce::read_result(const Whole& call, std::size_t chunk) const {
  const auto [begin, bytes] = chunk_at(call, chunk);
  copy_numbers(type(), static_cast<std::byte*>(call.data.output) + begin, host_.result(chunk), bytes / element_bytes());
}

/// In the floating-point environment of the application.
void HostTwoLevelAllreduce::reduce_on_host(const Whole& call, std::size_t chunk, const Chunk& part) {
  for (int rank = 0; rank < host_.size(); ++rank)
    contributions_[static_cast<std::size_t>(rank)] = host_.contribution(rank, chunk) + part.begin;
  reduce_by_tree(call.order.within, type(), op_, contributions_.data(), part.bytes / element_bytes(), scratch_.data(),
                 sums_.data());
}

/// Of the hosts' sums of this rank's part, from its byte `begin` on; the others' are where they were received.
void HostTwoLevelAllreduce::reduce_contributions(const Whole& call, std::size_t begin, std::size_t bytes,
                                                 std::byte* result) {
  const GridPlace& place = grid_.place();
  for (int host = 0; host < place.hosts; ++host)
    contributions_[static_cast<std::size_t>(host)] = host == place.host ? sums_.data() + begin : received_from(host);
  reduce_by_tree(call.order.between, type(), op_, contributions_.data(), bytes / element_bytes(), scratch_.data(),
                 result);
}

/// Where a host reduces a piece of the part for the others, these get the sums of it afterwards.
int HostTwoLevelAllreduce::reduce_between_hosts(const Whole& call, std::size_t chunk, const Chunk& part) {
  const GridPlace& place = grid_.place();
  std::byte* const result = host_.result(chunk) + part.begin;
  const bool whole = place.hosts == 2 || part.bytes <= max_whole_bytes;
  const auto piece_of = [&](int host) {
    return whole ? Chunk{.begin = 0, .bytes = part.bytes} : part_of(part.bytes, host, place.hosts);
  };
  const auto [own_begin, own_bytes] = piece_of(place.host);
  int error = messages_.start(
      tag_,
      [&](int host) { return std::span<const std::byte>(sums_).subspan(piece_of(host).begin, piece_of(host).bytes); },
      [&, bytes = own_bytes](int host) { return std::span(received_from(host), bytes); });
  if (error != MPI_SUCCESS) return error;
  if (chunk > 0) read_result(call, chunk - 1);
  contribute(call, chunk + 1);
  if (error = messages_.wait(); error != MPI_SUCCESS) return error;
  reduce_contributions(call, own_begin, own_bytes, result + own_begin);
  if (whole) return MPI_SUCCESS;
  return messages_.exchange(
      tag_ + 1,
      [&, begin = own_begin, bytes = own_bytes](int) { return std::span<const std::byte>(result + begin, bytes); },
      [&](int host) { return std::span(result + piece_of(host).begin, piece_of(host).bytes); });
}

namespace {

bool carries(const AgreedFacts& facts) {
  const LocalFacts& local = facts.local;
  if (local.memory != Memory::host || !local.lossless || local.lossy) return false;
  // the MPI library is asked for its order by calls that count in int
  const bool countable = facts.max_bytes / size_of(local.type) <= std::numeric_limits<int>::max();
  const bool worth_it =
      may_use_host_grid(facts.kind, facts.max_bytes, facts.size) || (facts.imposed && facts.kind == Kind::allreduce);
  return countable && worth_it && reduces_by_tree(local.type, local.op);
}

Acquired acquire(const Acquisition& acquisition) {
  if (would_ask_in_vain(acquisition.facts.type, acquisition.facts.op)) return {.why_not = no_lasting_order};
  MadeOnce<std::unique_ptr<HostGrid>>& grid = acquisition.resources.host_grid;
  const int error = make_once(acquisition, grid, HostGrid::create, "has no two levels of hosts");
  if (error != MPI_SUCCESS) return {.error = error};
  if (grid.made == nullptr) return {.why_not = "no two levels: " + grid.why_not};
  Acquired messages = acquire_messages(acquisition);
  if (messages.error != MPI_SUCCESS || !messages.why_not.empty()) return messages;
  return acquire_with_scratch(acquisition, [&] {
    return std::make_unique<HostTwoLevelAllreduce>(*grid.made, acquisition.comm, acquisition.rank, acquisition.facts,
                                                   route_for(acquisition));
  });
}

}  // namespace

extern constexpr AlgorithmEntry host_two_level_entry{.order = 7, .carries = carries, .acquire = acquire};

}  // namespace airamp::pmpi
