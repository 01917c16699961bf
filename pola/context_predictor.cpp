// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pola/context_predictor.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "pola/signature.hpp"

namespace airamp::pola {

bool ContextPredictor::reserve() {
  // One event takes an entry of each order at most. Kept at most half full while it may grow.
  const std::size_t size = entries_.size();
  if (size == max_entries || 2 * (used_ + orders.size()) <= size) return true;
  GrowingArray<Entry> old;
  std::swap(old, entries_);
  if (!entries_.grow(size == 0 ? 64 : 2 * size)) {
    std::swap(old, entries_);
    return false;
  }
  used_ = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Entry& entry = old[i];
    if (entry.context == 0) continue;
    insert(entry.context, entry.symbol);
    find(entry.context)->confidence = entry.confidence;
  }
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (found_[i] != nullptr) found_[i] = find(contexts_[i]);
  }
  return true;
}

ContextPredictor::Entry* ContextPredictor::find(std::uint32_t context) {
  Entry* const bucket = &entries_[(context * bucket_entries) & (entries_.size() - 1)];
  unsigned matches = 0;
  for (unsigned i = 0; i < bucket_entries; ++i) matches |= (bucket[i].context == context ? 1U : 0U) << i;
  return matches == 0 ? nullptr : bucket + std::countr_zero(matches);
}

void ContextPredictor::insert(std::uint32_t context, Symbol symbol) {
  Entry* const bucket = &entries_[(context * bucket_entries) & (entries_.size() - 1)];
  Entry* weakest = bucket;
  for (Entry* entry = bucket; entry != bucket + bucket_entries; ++entry) {
    if (entry->context == 0) {
      ++used_;
      weakest = entry;
      break;
    }
    if (entry->confidence < weakest->confidence) weakest = entry;
  }
  if (weakest->context != 0) {  // all in use: the others come nearer to being replaced
    for (Entry* entry = bucket; entry != bucket + bucket_entries; ++entry) {
      if (entry->confidence > 0) --entry->confidence;
    }
  }
  *weakest = {.context = context, .symbol = symbol};
}

void ContextPredictor::learn(Symbol symbol) {
  bool wanted = true;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    Entry* const entry = found_[i];
    if (entry == nullptr || entry->context != contexts_[i]) {  // not there, or just replaced
      if (wanted && contexts_[i] != 0) insert(contexts_[i], symbol);
      if (i == 0) wanted = false;
      continue;
    }
    // Without branches, which would be mispredicted as often as the event was.
    const bool right = entry->symbol == symbol;
    const std::uint8_t confidence = entry->confidence;
    reliability_[i][confidence].count(right);
    const std::uint8_t if_right = std::min<std::uint8_t>(confidence + 1, max_confidence);
    const std::uint8_t if_wrong = confidence > 1 ? confidence / 2 : 0;
    entry->symbol = confidence > 1 ? entry->symbol : symbol;
    entry->confidence = right ? if_right : if_wrong;
    wanted = !right;
  }
}

Prediction ContextPredictor::predict(const EventHistory& history) {
  hashes_.update(history);
  std::uint32_t best = 0;  // reliability and, in the lower half, number of the order plus 1: the longer if equal
  for (std::size_t i = 0; i < orders.size(); ++i) {
    found_[i] = nullptr;
    if (history.end() < orders[i]) continue;
    contexts_[i] = static_cast<std::uint32_t>(mix(hashes_[i] + i) >> 32) | 1U;
    found_[i] = find(contexts_[i]);
    if (found_[i] == nullptr) continue;
    const std::uint32_t reliability = reliability_[i][found_[i]->confidence].value();
    best = std::max(best, reliability << 16 | static_cast<std::uint32_t>(i + 1));
  }
  if (best == 0) return {};
  return {.symbol = found_[(best & 0xffff) - 1]->symbol, .reliability = static_cast<std::uint16_t>(best >> 16)};
}

}  // namespace airamp::pola
