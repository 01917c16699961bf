// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/shared_memory_allreduce.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "pmpi/algorithm/shared_memory/chunk.hpp"
#include "pmpi/algorithm/shared_memory/native_order.hpp"
#include "pmpi/algorithm/shared_memory/tree_reduction.hpp"
#include "pmpi/mpi/agree.hpp"

namespace airamp::pmpi {
namespace {

/// The parts of a chunk that ranks reduce begin on cache lines of their own.
constexpr std::size_t cache_line = 64;

/// The MPI library is asked for its order of so many lengths; others stay native.
constexpr std::size_t max_lengths = 64;

struct Part {
  std::size_t begin;
  std::size_t bytes;
};

/// What a rank reduces of a chunk of `bytes` bytes.
Part part_of(std::size_t bytes, int rank, int ranks) {
  const std::size_t lines = (bytes + cache_line - 1) / cache_line;
  const auto cut = [&](int at) {
    return std::min(bytes, lines * static_cast<std::size_t>(at) / static_cast<std::size_t>(ranks) * cache_line);
  };
  return {.begin = cut(rank), .bytes = cut(rank + 1) - cut(rank)};
}

}  // namespace

SharedMemoryAllreduce::SharedMemoryAllreduce(const CommunicatorResources& resources, MPI_Comm comm,
                                             const LocalFacts& facts)
    : SharedMemoryAlgorithm(resources),
      comm_(comm),
      type_(facts.type),
      op_(facts.op),
      chain_(SummationTree::chain(group_.size())),
      contributions_(static_cast<std::size_t>(group_.size())),
      scratch_(scratch_bytes(chain_)) {}

int SharedMemoryAllreduce::execute(const CollectiveData& data) {
  const SummationTree* order = nullptr;
  if (const int error = find_order(data.elements, order); error != MPI_SUCCESS) return error;
  called_off_ = order == nullptr;
  if (called_off_) return MPI_SUCCESS;
  if (is_short(data)) return SharedMemoryAlgorithm::execute(data);
  return carry_in_chunks(data, *order) ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/// The MPI library is asked again, before its results are compared with ours: one that changes its mind is left alone.
Result<bool> SharedMemoryAllreduce::prepare_trial(const CollectiveData& data) {
  const SummationTree* order = nullptr;
  if (const int error = find_order(data.elements, order); error != MPI_SUCCESS) return MpiError{error};
  if (order == nullptr || !depends_on_order(type_)) return order != nullptr;
  std::optional<SummationTree> again;
  const int error = reveal_order(comm_, group_.rank(), group_.size(), type_, data.elements, again);
  if (error != MPI_SUCCESS) return MpiError{error};
  if (again && *again == *order) return true;
  orders_[data.elements].reset();
  return false;
}

/// The same on all ranks: what they have asked for is. `order` stays empty where the MPI library keeps none.
int SharedMemoryAllreduce::find_order(std::size_t elements, const SummationTree*& order) {
  const bool to_be_asked = depends_on_order(type_) && !orders_.contains(elements) && orders_.size() < max_lengths;
  if (to_be_asked) {
    std::optional<SummationTree> tree;
    const int error = reveal_order(comm_, group_.rank(), group_.size(), type_, elements, tree);
    if (error != MPI_SUCCESS) return error;
    const Result<bool> all_remember = agree_on_success(comm_, remember(elements, std::move(tree)));
    if (!all_remember.ok()) return all_remember.error();
    if (!*all_remember) orders_.erase(elements);  // to be asked for again, on all ranks
  }
  order = known_order(elements);
  return MPI_SUCCESS;
}

/// Whether there was memory for it.
bool SharedMemoryAllreduce::remember(std::size_t elements, std::optional<SummationTree> order) {
  try {
    if (order) scratch_.resize(std::max(scratch_.size(), scratch_bytes(*order)));
    orders_.emplace(elements, std::move(order));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

const SummationTree* SharedMemoryAllreduce::known_order(std::size_t elements) const {
  if (!depends_on_order(type_)) return &chain_;
  const auto found = orders_.find(elements);
  return found != orders_.end() && found->second ? &*found->second : nullptr;
}

std::size_t SharedMemoryAllreduce::chunks(const CollectiveData& data) const {
  return chunks_of(data.elements * gpu::size_of(type_), group_.chunk_bytes());
}

bool SharedMemoryAllreduce::is_short(const CollectiveData& data) const {
  return data.elements * gpu::size_of(type_) <= HostGroup::max_staged_bytes && known_order(data.elements) != nullptr;
}

void SharedMemoryAllreduce::lay_out(const CollectiveData& data, std::size_t /*chunk*/, std::size_t turn) {
  std::memcpy(group_.contribution(group_.rank(), turn), data.input, data.elements * gpu::size_of(type_));
}

void SharedMemoryAllreduce::take(const CollectiveData& data, std::size_t /*chunk*/, std::size_t turn) {
  for (int rank = 0; rank < group_.size(); ++rank) {
    contributions_[static_cast<std::size_t>(rank)] = group_.contribution(rank, turn);
  }
  reduce_by_tree(*known_order(data.elements), type_, op_, contributions_.data(), data.elements, scratch_.data(),
                 static_cast<std::byte*>(data.output));
}

/// There are two places for contributions, and two for results. Between two meetings a rank reduces a chunk, reads the
/// result of the one before it and writes its contribution to the one behind it: what it writes to was read before the
/// last meeting, and what it reads was written before it. A call begins with an agreement, which is a meeting as well.
bool SharedMemoryAllreduce::carry_in_chunks(const CollectiveData& data, const SummationTree& order) {
  const std::size_t bytes = data.elements * gpu::size_of(type_);
  const std::size_t chunk = group_.chunk_bytes();
  const std::size_t all = chunks(data);
  const auto* input = static_cast<const std::byte*>(data.input);
  auto* output = static_cast<std::byte*>(data.output);
  const auto length_of = [&](std::size_t k) { return chunk_of(bytes, chunk, k).bytes; };
  const auto own_part = [&](std::size_t k) { return part_of(length_of(k), group_.rank(), group_.size()); };
  // nobody else reads what this rank reduces itself, if it can be read where it is
  const bool aligned = reinterpret_cast<std::uintptr_t>(input) % gpu::size_of(type_) == 0;
  const auto contribute = [&](std::size_t k) {
    std::byte* to = group_.contribution(group_.rank(), k);
    const std::byte* from = input + k * chunk;
    const Part kept = aligned ? own_part(k) : Part{.begin = 0, .bytes = 0};
    const std::size_t behind = kept.begin + kept.bytes;
    std::memcpy(to, from, kept.begin);
    std::memcpy(to + behind, from + behind, length_of(k) - behind);
  };
  const auto reduce = [&](std::size_t k) {
    const Part part = own_part(k);
    for (int rank = 0; rank < group_.size(); ++rank) {
      contributions_[static_cast<std::size_t>(rank)] = group_.contribution(rank, k) + part.begin;
    }
    if (aligned) contributions_[static_cast<std::size_t>(group_.rank())] = input + k * chunk + part.begin;
    reduce_by_tree(order, type_, op_, contributions_.data(), part.bytes / gpu::size_of(type_), scratch_.data(),
                   group_.result(k) + part.begin);
  };
  const auto read_result = [&](std::size_t k) { std::memcpy(output + k * chunk, group_.result(k), length_of(k)); };
  contribute(0);
  if (!group_.meet()) return false;
  for (std::size_t k = 0; k < all; ++k) {
    reduce(k);
    if (k > 0) read_result(k - 1);
    if (k + 1 < all) contribute(k + 1);
    if (!group_.meet()) return false;
  }
  read_result(all - 1);
  return true;
}

}  // namespace airamp::pmpi
