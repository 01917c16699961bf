// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pola/arrival.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "pola/signature.hpp"

namespace airamp::pola {

void ArrivalForecast::learn(Gap& gap, std::int64_t gap_ns) {
  constexpr std::uint32_t memory = 8;  // gaps, once there are as many
  if (gap.count < memory) ++gap.count;
  const std::int64_t error = gap_ns - gap.average_ns;
  // Outliers, a file written in between or a page fault, count as if they were four deviations away.
  const std::int64_t bound = gap.count <= 2 ? std::abs(error) : 4 * gap.deviation_ns + 1000;
  gap.average_ns += std::clamp(error, -bound, bound) / gap.count;
  gap.deviation_ns += (std::min(std::abs(error), 2 * bound) - gap.deviation_ns) / gap.count;
}

ArrivalForecast::Gap& ArrivalForecast::find(std::uint64_t place) {
  Gap* const bucket = gaps_->data() + mix(place) % (gap_count / bucket_gaps) * bucket_gaps;
  Gap* oldest = bucket;
  ++calls_;
  for (Gap* gap = bucket; gap != bucket + bucket_gaps; ++gap) {
    if (gap->place == place && gap->last_use != 0) {
      gap->last_use = calls_;
      return *gap;
    }
    if (gap->last_use < oldest->last_use) oldest = gap;
  }
  *oldest = {.place = place, .last_use = calls_};
  return *oldest;
}

bool ArrivalForecast::observe(std::uint64_t place, std::int64_t entered_ns, std::int64_t left_ns) noexcept {
  if (gaps_ == nullptr) {
    gaps_.reset(new (std::nothrow) std::array<Gap, gap_count>());
    if (gaps_ == nullptr) return false;
  }
  lateness_ns_.reset();
  if (expected_ns_) lateness_ns_ = entered_ns - *expected_ns_;
  if (after_last_ != nullptr) learn(*after_last_, entered_ns - left_ns_);

  Gap& gap = find(place);
  expected_ns_.reset();
  if (gap.count > 0) expected_ns_ = left_ns + gap.average_ns;
  after_last_ = &gap;
  left_ns_ = left_ns;
  return true;
}

}  // namespace airamp::pola
