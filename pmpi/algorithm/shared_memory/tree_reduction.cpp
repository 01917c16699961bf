// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/tree_reduction.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace airamp::pmpi {
namespace {

// The results that are needed at the same time stay in the first-level cache.
constexpr std::size_t block_bytes = 2048;

template <ReduceOp op, class T>
T combine(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    if constexpr (op == ReduceOp::sum) return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    if constexpr (op == ReduceOp::prod) return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
    if constexpr (op == ReduceOp::max) return std::max(a, b);
    return std::min(a, b);
  } else {
    return op == ReduceOp::sum ? a + b : a * b;
  }
}

template <ReduceOp op, class T>
void reduce(const SummationTree& tree, const std::byte* const* contributions, std::size_t elements, std::byte* scratch,
            std::byte* result) {
  constexpr std::size_t block_elements = block_bytes / sizeof(T);
  const auto ranks = static_cast<std::size_t>(tree.ranks());
  if (ranks == 1) {
    std::memcpy(result, contributions[0], elements * sizeof(T));
    return;
  }
  const bool aligned = reinterpret_cast<std::uintptr_t>(result) % alignof(T) == 0;
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
      const bool to_result = aligned && &addition == &tree.additions().back();
      T* sum = to_result ? reinterpret_cast<T*>(result) + first : place_of(addition);
      for (std::size_t i = 0; i < block; ++i) sum[i] = combine<op>(left[i], right[i]);
    }
    if (!aligned) {
      std::memcpy(result + first * sizeof(T), place_of(tree.additions().back()), block * sizeof(T));
    }
  }
}

template <class T>
void reduce(const SummationTree& tree, ReduceOp op, const std::byte* const* contributions, std::size_t elements,
            std::byte* scratch, std::byte* result) {
  switch (op) {
    case ReduceOp::sum:
      return reduce<ReduceOp::sum, T>(tree, contributions, elements, scratch, result);
    case ReduceOp::prod:
      return reduce<ReduceOp::prod, T>(tree, contributions, elements, scratch, result);
    case ReduceOp::max:
      if constexpr (std::is_integral_v<T>) reduce<ReduceOp::max, T>(tree, contributions, elements, scratch, result);
      return;
    case ReduceOp::min:
      if constexpr (std::is_integral_v<T>) reduce<ReduceOp::min, T>(tree, contributions, elements, scratch, result);
      return;
  }
}

}  // namespace

bool reduces_by_tree(DataType type, ReduceOp op) {
  switch (type) {
    case DataType::int32:
    case DataType::int64:
      return true;
    case DataType::uint32:
    case DataType::uint64:
    case DataType::float32:
    case DataType::float64:
      return op == ReduceOp::sum || op == ReduceOp::prod;
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::byte:
      break;
  }
  return false;
}

std::size_t scratch_bytes(const SummationTree& tree) { return static_cast<std::size_t>(tree.places()) * block_bytes; }

void reduce_by_tree(const SummationTree& tree, DataType type, ReduceOp op, const std::byte* const* contributions,
                    std::size_t elements, std::byte* scratch, std::byte* result) {
  switch (type) {
    case DataType::int32:
      return reduce<std::int32_t>(tree, op, contributions, elements, scratch, result);
    case DataType::uint32:
      return reduce<std::uint32_t>(tree, op, contributions, elements, scratch, result);
    case DataType::int64:
      return reduce<std::int64_t>(tree, op, contributions, elements, scratch, result);
    case DataType::uint64:
      return reduce<std::uint64_t>(tree, op, contributions, elements, scratch, result);
    case DataType::float32:
      return reduce<float>(tree, op, contributions, elements, scratch, result);
    case DataType::float64:
      return reduce<double>(tree, op, contributions, elements, scratch, result);
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::byte:
      return;
  }
}

}  // namespace airamp::pmpi
