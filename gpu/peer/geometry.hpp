// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::gpu {

/// Bytes of a region that a one-shot collective of `message_bytes` among `size` ranks takes, whatever the type.
std::size_t one_shot_region_bytes(std::size_t message_bytes, int size);

/// The smallest region with which a two-shot collective among `size` ranks works. More is faster, up to about 16 MiB.
std::size_t smallest_two_shot_region_bytes(int size);

}  // namespace airamp::gpu
