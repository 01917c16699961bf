// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/prefix_reduction.hpp"

#include <algorithm>
#include <array>

#include "pmpi/algorithm/orders/combination.hpp"

namespace airamp::pmpi {
namespace {

template <class T>
const T* contribution(const PrefixOperands& operands, int rank) {
  return reinterpret_cast<const T*>(operands.contributions + static_cast<std::size_t>(rank) * operands.stride);
}

template <class T>
T* result(const PrefixOperands& operands, int rank) {
  return reinterpret_cast<T*>(operands.results + static_cast<std::size_t>(rank) * operands.stride);
}

template <ReduceOp op, class T>
void extend(const T* before, const T* given, T* result, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) result[i] = combined<op>(before[i], given[i]);
}

template <ReduceOp op, class T>
void reduce_inclusive(const PrefixOperands& operands) {
  if (operands.results != operands.contributions) {
    std::copy_n(contribution<T>(operands, 0), operands.elements, result<T>(operands, 0));
  }
  for (int rank = 1; rank < operands.ranks; ++rank) {
    extend<op>(result<T>(operands, rank - 1), contribution<T>(operands, rank), result<T>(operands, rank),
               operands.elements);
  }
}

template <ReduceOp op, class T>
void reduce_exclusive(const PrefixOperands& operands) {
  constexpr std::size_t block_elements = 2048 / sizeof(T);
  std::array<T, block_elements> sums;
  for (std::size_t first = 0; first < operands.elements; first += block_elements) {
    const std::size_t block = std::min(block_elements, operands.elements - first);
    std::copy_n(contribution<T>(operands, 0) + first, block, sums.begin());
    for (int rank = 1; rank < operands.ranks; ++rank) {
      const T* const contributed = contribution<T>(operands, rank) + first;
      T* const own = result<T>(operands, rank) + first;
      const bool is_last = rank + 1 == operands.ranks;  // nobody wants its contribution
      for (std::size_t i = 0; i < block; ++i) {
        const T given = contributed[i];
        own[i] = sums[i];
        if (!is_last) sums[i] = combined<op>(sums[i], given);
      }
    }
  }
}

}  // namespace

void reduce_prefixes(DataType type, ReduceOp op, bool inclusive, const PrefixOperands& operands) {
  with_combination(type, op, [&]<ReduceOp known_op, class T>() {
    inclusive ? reduce_inclusive<known_op, T>(operands) : reduce_exclusive<known_op, T>(operands);
  });
}

void extend_prefix(DataType type, ReduceOp op, const std::byte* before, const std::byte* given, std::byte* result,
                   std::size_t elements) {
  with_combination(type, op, [&]<ReduceOp known_op, class T>() {
    extend<known_op>(reinterpret_cast<const T*>(before), reinterpret_cast<const T*>(given),
                     reinterpret_cast<T*>(result), elements);
  });
}

}  // namespace airamp::pmpi
