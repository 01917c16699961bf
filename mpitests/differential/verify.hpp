// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "mpitests/differential/buffer.hpp"
#include "mpitests/differential/call.hpp"

namespace airamp::differential {

/// Which calls the settings of this run allow AIRamp to compress.
struct Lossy {
  bool allreduce = false;
  bool allgather = false;
  bool float16 = true;
  bool bfloat16 = true;
  bool float32 = false;
  std::uint64_t min_bytes = 1U << 20U;
  Quantisation quantisation{};

  /// From AIRAMP_ENABLE_FP8_ALLREDUCE, AIRAMP_ENABLE_FP8_ALLGATHER, AIRAMP_LOSSY_TYPES, AIRAMP_MIN_BYTES and
  /// AIRAMP_CODEC.
  static Lossy from_environment();

  /// Whether the result of a call may differ from native's.
  bool allows(const Call& call) const;
};

/// Whether two results are the same bytes, but for which NaN an element of a sum or product is where several may have
/// met: one that a rank gives, and what infinities of both signs make. The processor keeps that of its first operand,
/// and which one is first differs along one vector of an MPI library: in Open MPI where vector instructions end, and
/// where another rank's part begins.
bool same_but_for_nans_that_met(const Call& call, const Buffer& a, const Buffer& b);

/// Compares AIRamp's result of a lossy call with the truth, and where it is not finite with the poison that went in.
/// Bytes that belong to no element must be native's. Returns what is wrong, empty if nothing is.
std::string check_lossy(const Call& call, const Lossy& lossy, const Buffer& native, const Buffer& airamp);

}  // namespace airamp::differential
