// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/strided_reduction.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "pmpi/algorithm/orders/combination.hpp"

namespace airamp::pmpi {
namespace {

/// What is reduced at once, so that it takes little of the stack.
constexpr std::size_t block_bytes = 256;

/// To a place of any alignment.
template <ReduceOp op, class T>
void combine(const T* left, const T* right, std::size_t elements, std::byte* result) {
  for (std::size_t i = 0; i < elements; ++i) {
    const T value = combined<op>(left[i], right[i]);
    std::memcpy(result + i * sizeof(T), &value, sizeof(T));
  }
}

template <ReduceOp op, class T>
void reduce(const SummationTree& tree, const std::byte* first, std::size_t stride, std::size_t elements,
            std::byte* result) {
  constexpr std::size_t block_elements = block_bytes / sizeof(T);
  alignas(64) std::array<std::byte, max_short_places * block_bytes> places;
  const int ranks = tree.ranks();
  const auto& additions = tree.additions();
  if (ranks == 1) std::memcpy(result, first, elements * sizeof(T));
  for (std::size_t begin = 0; begin < elements; begin += block_elements) {
    const std::size_t block = std::min(block_elements, elements - begin);
    const auto place_of = [&](int addition) {
      return places.data() +
             static_cast<std::size_t>(additions[static_cast<std::size_t>(addition)].place) * block_bytes;
    };
    const auto operand = [&](int which) {
      const std::byte* const at = which < ranks ? first + static_cast<std::size_t>(which) * stride + begin * sizeof(T)
                                                : place_of(which - ranks);
      return reinterpret_cast<const T*>(at);
    };
    for (int addition = 0; addition < ranks - 1; ++addition) {
      const auto [left, right, place] = additions[static_cast<std::size_t>(addition)];
      std::byte* const sum = addition == ranks - 2 ? result + begin * sizeof(T) : place_of(addition);
      combine<op>(operand(left), operand(right), block, sum);
    }
  }
}

}  // namespace

ShortReduction strided_reduction(DataType type, ReduceOp op) {
  ShortReduction found = nullptr;
  with_combination(type, op, [&]<ReduceOp known_op, class T>() {
    if constexpr (!HasIndex<T>) found = reduce<known_op, T>;
  });
  return found;
}

}  // namespace airamp::pmpi
