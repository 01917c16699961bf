// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/writer/traffic_table.hpp"

namespace airamp::telemetry {

layout::TrafficRow* TrafficTable::find_or_make(layout::Key key) noexcept {
  if (layout::TrafficRow* row = find_exactly(key)) return row;
  if (key.communicator == layout::other_communicators) return nullptr;
  key.communicator = layout::other_communicators;
  return find_exactly(key);
}

layout::TrafficRow* TrafficTable::find_exactly(layout::Key key) noexcept {
  const std::uint64_t packed = key.packed();
  const std::size_t first = home(packed);
  // Every lost race has another thread's insertion as its cause: a second round finds it.
  for (int round = 0; round < 4; ++round) {
    std::atomic<std::uint16_t>* place = nullptr;
    std::uint16_t expected = empty;
    for (std::size_t probe = 0; probe < longest_probe; ++probe) {
      std::atomic<std::uint16_t>& slot = index_[(first + probe) % slots];
      const std::uint16_t number = slot.load(std::memory_order_acquire);
      if (number != empty && number != deleted) {
        layout::TrafficRow& row = rows_[number - 1U];
        if (row.key.load(std::memory_order_relaxed) == packed) return &row;
        continue;
      }
      if (place == nullptr) {
        place = &slot;
        expected = number;
      }
      if (number == empty) break;
    }
    if (place == nullptr) return nullptr;
    const std::uint16_t number = claim_row(key);
    if (number == empty) return nullptr;
    layout::TrafficRow& row = rows_[number - 1U];
    if (place->compare_exchange_strong(expected, number, std::memory_order_acq_rel)) {
      link(number, key.communicator);
      return &row;
    }
    row.key.store(0, std::memory_order_release);
  }
  return nullptr;
}

std::uint16_t TrafficTable::claim_row(layout::Key key) noexcept {
  const bool for_others = key.communicator == layout::other_communicators;
  const std::uint32_t limit = for_others ? layout::traffic : layout::traffic - reserved_rows;
  std::uint32_t used = used_.load(std::memory_order_relaxed);
  while (used < limit) {
    if (!used_.compare_exchange_weak(used, used + 1, std::memory_order_relaxed)) continue;
    rows_[used].key.store(key.packed(), std::memory_order_release);
    return static_cast<std::uint16_t>(used + 1);
  }
  const std::uint32_t first = freed_last_.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < used; ++i) {
    const std::uint32_t row = (first + i) % used;
    std::uint64_t free = 0;
    if (rows_[row].key.load(std::memory_order_relaxed) == 0 &&
        rows_[row].key.compare_exchange_strong(free, key.packed(), std::memory_order_acq_rel)) {
      return static_cast<std::uint16_t>(row + 1);
    }
  }
  return empty;
}

void TrafficTable::link(std::uint16_t number, std::uint16_t communicator) noexcept {
  std::atomic<std::uint16_t>& latest = latest_[communicator];
  std::uint16_t before = latest.load(std::memory_order_relaxed);
  do {
    before_[number - 1U].store(before, std::memory_order_relaxed);
  } while (!latest.compare_exchange_weak(before, number, std::memory_order_acq_rel));
}

bool TrafficTable::remove_from_index(std::uint16_t number, std::uint64_t packed) noexcept {
  const std::size_t first = home(packed);
  for (std::size_t probe = 0; probe < longest_probe; ++probe) {
    std::uint16_t expected = number;
    if (index_[(first + probe) % slots].compare_exchange_strong(expected, deleted, std::memory_order_acq_rel)) {
      return true;
    }
  }
  return false;
}

bool TrafficTable::move_to_others(layout::TrafficRow& row, layout::Key key) noexcept {
  key.communicator = layout::other_communicators;
  layout::TrafficRow* others = find_exactly(key);
  const auto move = [](layout::Word& from, layout::Word* to) {
    const std::uint64_t amount = from.load(std::memory_order_relaxed);
    if (amount == 0) return;
    from.store(0, std::memory_order_relaxed);
    if (to != nullptr) to->fetch_add(amount, std::memory_order_relaxed);
  };
  move(row.bytes, others == nullptr ? nullptr : &others->bytes);
  move(row.wire_bytes, others == nullptr ? nullptr : &others->wire_bytes);
  move(row.nanoseconds, others == nullptr ? nullptr : &others->nanoseconds);
  for (std::size_t i = 0; i < latency_buckets; ++i) {
    move(row.histogram[i], others == nullptr ? nullptr : &others->histogram[i]);
  }
  return others != nullptr;
}

std::uint64_t TrafficTable::release(std::uint16_t communicator) noexcept {
  std::uint64_t lost = 0;
  std::uint16_t number = latest_[communicator].exchange(0, std::memory_order_acq_rel);
  while (number != 0) {
    layout::TrafficRow& row = rows_[number - 1U];
    const std::uint16_t before = before_[number - 1U].load(std::memory_order_relaxed);
    const layout::Key key = layout::Key::unpack(row.key.load(std::memory_order_relaxed));
    if (key.valid && key.communicator == communicator && remove_from_index(number, key.packed())) {
      if (!move_to_others(row, key)) ++lost;
      row.key.store(0, std::memory_order_release);
      freed_last_.store(number - 1U, std::memory_order_relaxed);
    }
    number = before;
  }
  return lost;
}

}  // namespace airamp::telemetry
