// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/known_orders.hpp"

#include <mutex>
#include <new>

#include "base/digest.hpp"
#include "pmpi/mpi/process_wide.hpp"

namespace airamp::pmpi {
namespace {

/// Beyond, a program that never has the same ranks or lengths twice would fill the memory.
constexpr std::size_t max_keys = 256;
constexpr std::size_t max_vectors = 64;

struct AllKnownOrders {
  std::mutex mutex;
  std::map<OrdersKey, KnownOrders> by_key;
};
constinit ProcessWide<AllKnownOrders> all_known_orders;

}  // namespace

KnownOrders known_orders(const OrdersKey& key) {
  auto& [mutex, known] = *all_known_orders;
  const std::lock_guard lock(mutex);
  const auto found = known.find(key);
  return found != known.end() ? found->second : KnownOrders();
}

void remember_order(const OrdersKey& key, const VectorKey& vector, const std::optional<SummationTree>& order) noexcept {
  if (key.members == 0) return;
  try {
    auto& [mutex, known] = *all_known_orders;
    const std::lock_guard lock(mutex);
    if (known.size() == max_keys && !known.contains(key)) return;
    KnownOrders& orders = known[key];
    if (orders.size() < max_vectors || orders.contains(vector)) orders.insert_or_assign(vector, order);
  } catch (const std::bad_alloc&) {  // later communicators ask for themselves
  }
}

std::uint64_t digest_of(const KnownOrders& orders) noexcept {
  base::Digest digest;
  for (const auto& [vector, order] : orders) {
    digest.add(vector.elements);
    digest.add(static_cast<std::uint64_t>(vector.root));
    digest.add(order ? static_cast<std::uint64_t>(order->ranks()) : 0);
    if (!order) continue;
    for (const SummationTree::Addition& addition : order->additions()) {
      digest.add(static_cast<std::uint64_t>(addition.left));
      digest.add(static_cast<std::uint64_t>(addition.right));
    }
  }
  return digest.value();
}

const SummationTree* nearest_order(const KnownOrders& orders, const VectorKey& vector) noexcept {
  const SummationTree* nearest = nullptr;
  for (const auto& [known, order] : orders) {
    const bool is_behind = known.elements > vector.elements;
    if (is_behind && nearest != nullptr) break;
    if (order && known.root == vector.root) nearest = &*order;
  }
  return nearest;
}

}  // namespace airamp::pmpi
