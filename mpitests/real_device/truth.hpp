// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpitests/differential/error_bound.hpp"
#include "mpitests/real_device/call.hpp"

namespace airamp::gpu_tests {

/// Which calls the settings of this run allow AIRamp to compress: from AIRAMP_ENABLE_FP8_ALLREDUCE,
/// AIRAMP_ENABLE_FP8_ALLGATHER and AIRAMP_CODEC.
struct Lossy {
  bool reductions = false;
  bool gathers = false;
  differential::Quantisation quantisation{};

  static Lossy from_environment();
  bool allows(const Call& call) const;
};

/// Compares this rank's result with the truth, computed on the host from all ranks' inputs: sums of floating-point
/// numbers to the bound that any order of adding them keeps (and that of the quantisations, where they are allowed),
/// everything else exactly. Returns what is wrong, empty if nothing is.
std::string find_mistake(const Call& call, const Lossy& lossy, std::size_t rank, const std::vector<std::byte>& result);

/// A hash that must be equal on all ranks that share a result; NaNs count as equal, and so do zeros of either sign
/// where maxima and minima are taken. 0 where there is nothing to compare.
std::uint64_t shared_hash(const Call& call, const std::vector<std::byte>& result);

}  // namespace airamp::gpu_tests
