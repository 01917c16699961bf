// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace airamp::telemetry {

/// The label of a size bucket from its lower bound, in bytes: "1-2MiB" for [2^20, 2^21), "512-1024B". Written as
/// NVIDIA's NCCL Inspector writes its message_size, but with binary units.
std::string message_size(std::uint64_t lower_bound);

}  // namespace airamp::telemetry
