// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/tree_reduction.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "pmpi/algorithm/orders/combination.hpp"

namespace airamp::pmpi {
namespace {

// The results that are needed at the same time stay in the first-level cache.
constexpr std::size_t block_bytes = 2048;

template <class Pair>
void copy_pairs(std::byte* to, const std::byte* from, std::size_t elements) {
  constexpr std::size_t index = offsetof(Pair, index);
  for (std::size_t i = 0; i < elements; ++i, to += sizeof(Pair), from += sizeof(Pair)) {
    std::memcpy(to, from, sizeof(Pair::value));
    std::memcpy(to + index, from + index, sizeof(Pair::index));
  }
}

template <ReduceOp op, class T>
void reduce(const SummationTree& tree, DataType type, const std::byte* const* contributions, std::size_t elements,
            std::byte* scratch, std::byte* result) {
  constexpr std::size_t block_elements = block_bytes / sizeof(T);
  const auto ranks = static_cast<std::size_t>(tree.ranks());
  if (ranks == 1) {
    copy_numbers(type, result, contributions[0], elements);
    return;
  }
  const bool in_result = !has_gap(type) && reinterpret_cast<std::uintptr_t>(result) % alignof(T) == 0;
  T* const places = reinterpret_cast<T*>(scratch);
  for (std::size_t first = 0; first < elements; first += block_elements) {
    const std::size_t block = std::min(block_elements, elements - first);
    const auto place_of = [&](const SummationTree::Addition& addition) {
      return places + static_cast<std::size_t>(addition.place) * block_elements;
    };
    const auto operand = [&](int which) -> const T* {
      const auto index = static_cast<std::size_t>(which);
      if (index < ranks) return reinterpret_cast<const T*>(contributions[index]) + first;
      return place_of(tree.additions()[index - ranks]);
    };
    for (const SummationTree::Addition& addition : tree.additions()) {
      const T* left = operand(addition.left);
      const T* right = operand(addition.right);
      const bool to_result = in_result && &addition == &tree.additions().back();
      T* sum = to_result ? reinterpret_cast<T*>(result) + first : place_of(addition);
      for (std::size_t i = 0; i < block; ++i) sum[i] = combined<op>(left[i], right[i]);
    }
    if (!in_result) {
      const auto* const last = reinterpret_cast<const std::byte*>(place_of(tree.additions().back()));
      copy_numbers(type, result + first * sizeof(T), last, block);
    }
  }
}

}  // namespace

bool reduces_by_tree(DataType type, ReduceOp op) {
  return with_combination(type, op, []<ReduceOp, class>() {});
}

std::size_t scratch_bytes(const SummationTree& tree) { return static_cast<std::size_t>(tree.places()) * block_bytes; }

void reduce_by_tree(const SummationTree& tree, DataType type, ReduceOp op, const std::byte* const* contributions,
                    std::size_t elements, std::byte* scratch, std::byte* result) {
  with_combination(type, op, [&]<ReduceOp known_op, class T>() {
    reduce<known_op, T>(tree, type, contributions, elements, scratch, result);
  });
}

void copy_numbers(DataType type, std::byte* to, const std::byte* from, std::size_t elements) {
  switch (type) {
    case DataType::int16_int32:
      return copy_pairs<IndexedValue<std::int16_t, std::int32_t>>(to, from, elements);
    case DataType::int64_int32:
      return copy_pairs<IndexedValue<std::int64_t, std::int32_t>>(to, from, elements);
    case DataType::float64_int32:
      return copy_pairs<IndexedValue<double, std::int32_t>>(to, from, elements);
    default:
      if (elements > 0) std::memcpy(to, from, elements * size_of(type));  // of none there need be no memory
  }
}

}  // namespace airamp::pmpi
