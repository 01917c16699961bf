// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace airamp::telemetry {

/// How much of a job becomes series of its own.
enum class Detail : std::uint8_t {
  job,  ///< at most `max_job_series`: ranks, sizes and signatures are summed up
  all   ///< every rank, size and signature, in label sets of which a family has at most `max_label_sets`
};

inline constexpr std::size_t max_job_series = 150;
inline constexpr std::size_t max_label_sets = 1000;

}  // namespace airamp::telemetry
