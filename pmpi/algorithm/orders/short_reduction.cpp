// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/short_reduction.hpp"

#include <array>
#include <cstddef>
#include <cstring>

#include "pmpi/algorithm/orders/combination.hpp"

namespace airamp::pmpi {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// A gap between a value and its index stays as it is.
template <class T>
void store(std::byte* to, const T& value) {
  if constexpr (HasIndex<T>) {
    std::memcpy(to, &value.value, sizeof(value.value));
    std::memcpy(to + offsetof(T, index), &value.index, sizeof(value.index));
  } else {
    std::memcpy(to, &value, sizeof(T));
  }
}

/// One element of each rank: all sums of two ranks, then all of four, and so on; who has no partner waits.
template <ReduceOp op, class T>
[[gnu::always_inline]] inline T reduced_in_pairs(const std::byte* first, std::size_t stride, int ranks) {
  std::array<T, HostMeeting::max_ranks / 2 + 1> sums;
  sums[0] = load<T>(first);
  std::size_t width = 0;
  for (; ranks > 1; ranks -= 2, first += 2 * stride)
    sums[width++] = combined<op>(load<T>(first), load<T>(first + stride));
  if (ranks != 0) sums[width++] = load<T>(first);
  while (width > 1) {
    const std::size_t half = width / 2;
    for (std::size_t i = 0; i < half; ++i) sums[i] = combined<op>(sums[2 * i], sums[2 * i + 1]);
    if (width % 2 != 0) sums[half] = sums[width - 1];
    width -= half;
  }
  return sums[0];
}

template <ReduceOp op, class T>
[[gnu::always_inline]] inline T reduced_in_a_chain(const std::byte* first, std::size_t stride, int ranks) {
  T sum = load<T>(first);
  while (--ranks != 0) sum = combined<op>(sum, load<T>(first += stride));
  return sum;
}

/// In any order, by its list.
template <ReduceOp op, class T>
[[gnu::noinline]] void reduce_in_order(const SummationTree& tree, const std::byte* first, std::size_t stride,
                                       std::size_t elements, std::byte* result) {
  alignas(16) std::array<std::byte, max_short_places * max_short_bytes> places;
  const auto& additions = tree.additions();
  const int ranks = tree.ranks();
  const auto place_of = [&](int addition) {
    const int place = additions[static_cast<std::size_t>(addition)].place;
    return places.data() + static_cast<std::size_t>(place) * max_short_bytes;
  };
  const auto operand = [&](int which) -> const std::byte* {
    return which < ranks ? first + static_cast<std::size_t>(which) * stride : place_of(which - ranks);
  };
  for (int addition = 0; addition < ranks - 1; ++addition) {
    const std::byte* left = operand(additions[static_cast<std::size_t>(addition)].left);
    const std::byte* right = operand(additions[static_cast<std::size_t>(addition)].right);
    std::byte* sum = addition == ranks - 2 ? result : place_of(addition);
    for (std::size_t i = 0; i < elements; ++i) {
      store(sum, combined<op>(load<T>(left), load<T>(right)));
      left += sizeof(T);
      right += sizeof(T);
      sum += sizeof(T);
    }
  }
}

template <ReduceOp op, class T>
void reduce(const SummationTree& tree, const std::byte* first, std::size_t stride, std::size_t elements,
            std::byte* result) {
  const int ranks = tree.ranks();
  if (tree.shape() == SummationTree::Shape::other) return reduce_in_order<op, T>(tree, first, stride, elements, result);
  const bool in_pairs = tree.shape() == SummationTree::Shape::pairs;
  for (; elements != 0; --elements, first += sizeof(T), result += sizeof(T)) {
    store(result,
          in_pairs ? reduced_in_pairs<op, T>(first, stride, ranks) : reduced_in_a_chain<op, T>(first, stride, ranks));
  }
}

}  // namespace

ShortReduction short_reduction(DataType type, ReduceOp op) {
  ShortReduction found = nullptr;
  with_combination(type, op, [&]<ReduceOp known_op, class T>() { found = reduce<known_op, T>; });
  return found;
}

}  // namespace airamp::pmpi
