// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/posted_reduce.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::size_t alignment = alignof(std::max_align_t);

}  // namespace

PostedReduce::PostedReduce(const CommunicatorResources& resources, MPI_Comm comm, const LocalFacts& facts,
                           std::size_t max_bytes, MessageRoute route)
    : OrderedReduction(Kind::reduce, comm, resources.host.made->rank(), resources.host.made->size(), facts),
      group_(*resources.host.made),
      ring_(*resources.contributions()),
      place_bytes_((max_bytes + alignment - 1) / alignment * alignment),
      route_(std::move(route)),
      received_(place_bytes_ * static_cast<std::size_t>(group_.size())),
      contributions_(static_cast<std::size_t>(group_.size())) {}

int PostedReduce::execute(const CollectiveData& data) {
  if (const int error = find_order_if_it_pays(data); error != MPI_SUCCESS) return error;
  why_called_off_ = may_be_posted(data) ? Reason::none : why_no_order(data);
  if (why_called_off_ != Reason::none) return MPI_SUCCESS;
  return post(data).value_or(MPI_ERR_OTHER);  // who has just met does not pass by
}

std::optional<int> PostedReduce::post(const CollectiveData& data) {
  ring_.next(data.root);
  return end_brief_post(data);
}

BriefPost PostedReduce::brief_post(const CollectiveData& data) {
  return {.contributions = &ring_,
          .bytes = bytes_of(data),
          .reduce = brief_reduction_of(data),
          .order = known_order(data),
          .elements = data.elements};
}

ShortReduction PostedReduce::brief_reduction_of(const CollectiveData& data) const {
  if (const ShortReduction reduce_short = short_reduction_of(data)) return reduce_short;
  const SummationTree* const order = known_order(data);
  return order != nullptr ? strided_reduction_in(*order) : nullptr;
}

std::optional<int> PostedReduce::end_brief_post(const CollectiveData& data) {
  if (group_.rank() != data.root) return leave(data);
  const std::optional<int> error = take(data);
  if (error) {
    ring_.done();  // whatever came of it, the others go on
  } else {
    ring_.take_back();
  }
  return error;
}

int PostedReduce::leave(const CollectiveData& data) {
  const std::size_t bytes = bytes_of(data);
  if (ring_.has_room() || ring_.wait_for_room(data.patience_seconds)) {
    std::memcpy(ring_.own(), data.input, bytes);
    ring_.leave(bytes);
    return MPI_SUCCESS;
  }
  ring_.leave_elsewhere(bytes);
  return native().MPI_Send(data.input, static_cast<int>(bytes), MPI_BYTE,
                           route_.ranks[static_cast<std::size_t>(data.root)], route_.tag, route_.comm);
}

std::optional<int> PostedReduce::take(const CollectiveData& data) {
  all_in_ring_ = take_own(data);
  const std::optional<int> error = receive_from_others(bytes_of(data));
  if (error != MPI_SUCCESS) return error;
  auto* const output = static_cast<std::byte*>(data.output);
  if (const ShortReduction reduce_all = all_in_ring_ ? brief_reduction_of(data) : nullptr) {
    reduce_all(*known_order(data), ring_.contribution(0), ContributionRing::stride, data.elements, output);
    return MPI_SUCCESS;
  }
  reduce(
      data, data.elements, [&](int rank) { return contributions_[static_cast<std::size_t>(rank)]; }, output);
  return MPI_SUCCESS;
}

/// Where it is aligned to its elements. Whether it lies in the ring.
bool PostedReduce::take_own(const CollectiveData& data) {
  const auto own = static_cast<std::size_t>(group_.rank());
  const bool in_ring = ring_.has_room();
  std::byte* const to = in_ring ? ring_.own() : received_.data() + own * place_bytes_;
  std::memcpy(to, data.input, bytes_of(data));
  contributions_[own] = to;
  return in_ring;
}

/// What the other ranks have left or sent, as soon as it has come. Nothing if they all pass by.
std::optional<int> PostedReduce::receive_from_others(std::size_t bytes) {
  using Where = ContributionRing::Where;
  int passed = 0;
  bool has_longer = false;
  for (int rank = 0; rank < group_.size(); ++rank) {
    if (rank == group_.rank()) continue;
    Where where = ring_.look(rank);
    const auto has_come = [&] { return (where = ring_.look(rank)) != Where::nowhere_yet; };
    if (where == Where::nowhere_yet && !group_.meeting().wait_until(rank, has_come)) return MPI_ERR_OTHER;
    if (where == Where::passed) {
      ++passed;
      continue;
    }
    const auto at = static_cast<std::size_t>(rank);
    contributions_[at] = ring_.contribution(rank);
    if (where == Where::here) {
      has_longer |= ring_.bytes_from(rank) > bytes;
      continue;
    }
    std::byte* const to = received_.data() + at * place_bytes_;
    const int error = native().MPI_Recv(to, static_cast<int>(bytes), MPI_BYTE, route_.ranks[at], route_.tag,
                                        route_.comm, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS) return error;
    contributions_[at] = to;
    all_in_ring_ = false;
  }
  if (passed > 0 && passed == group_.size() - 1) return std::nullopt;
  return passed > 0 || has_longer ? MPI_ERR_TRUNCATE : MPI_SUCCESS;  // vectors of other lengths
}

}  // namespace airamp::pmpi
