// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "core/data_type.hpp"
#include "pmpi/algorithm/orders/summation_tree.hpp"
#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// Reductions in which the MPI library is expected to add in the same orders, on whatever communicator.
struct OrdersKey {
  std::uint64_t members;  ///< the ranks, in order; 0: not known
  Kind kind;
  DataType type;
  auto operator<=>(const OrdersKey&) const = default;
};

/// Of which vectors: so many elements, and the root of MPI_Reduce.
struct VectorKey {
  std::size_t elements;
  int root;
  auto operator<=>(const VectorKey&) const = default;
};

/// By vector; empty: the MPI library keeps none.
using KnownOrders = std::map<VectorKey, std::optional<SummationTree>>;

/// What this rank has found out of the MPI library's orders on communicators of the same ranks. Local: what another
/// rank knows may differ. Thread-safe. Throws std::bad_alloc.
KnownOrders known_orders(const OrdersKey& key);

/// Adds to that. Thread-safe.
void remember_order(const OrdersKey& key, const VectorKey& vector, const std::optional<SummationTree>& order) noexcept;

/// Equal for the same orders of the same vectors.
std::uint64_t digest_of(const KnownOrders& orders) noexcept;

/// The order of the shorter vector that is nearest, or else of the longer one, of the same root; nullptr if there is
/// none.
const SummationTree* nearest_order(const KnownOrders& orders, const VectorKey& vector) noexcept;

}  // namespace airamp::pmpi
