// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pola/repeat_predictor.hpp"

#include <algorithm>
#include <bit>

namespace airamp::pola {
std::size_t RepeatPredictor::kind() const {
  return failures_ * length_kinds + std::min<std::size_t>(std::bit_width(length_), length_kinds - 1);
}

void RepeatPredictor::learn(const EventHistory& history, Symbol symbol) {
  if (distance_ == 0) return;
  const bool right = symbol != 0 && history.back(distance_) == symbol;
  reliability_[kind()].count(right);
  if (right) {
    ++length_;
    if (length_ % settled_length == 0 && failures_ > 0) --failures_;
  } else {
    distance_ = length_ = 0;
    if (failures_ < max_failures) ++failures_;
  }
}

Prediction RepeatPredictor::predict(const EventHistory& history, const ContextIndex& index) {
  for (std::size_t i = ContextIndex::orders.size(); i-- > 0 && length_ < settled_length;) {
    const std::size_t distance = index.distance(i);
    if (distance == 0 || distance == distance_) continue;
    const std::size_t length = history.repeated(distance, longest_comparison);
    if (length > length_) {
      distance_ = distance;
      length_ = length;
    }
  }
  if (distance_ == 0) return {};
  return {.symbol = history.back(distance_), .reliability = reliability_[kind()].value()};
}

}  // namespace airamp::pola
