// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "mpitests/fake_device/checked_call/call.hpp"

namespace airamp::device_tests {

/// Element `index` of what `rank` puts into a call. Floating-point numbers are small enough for sums and products over
/// five ranks to have few bits; integers are any of their type.
std::int64_t number(const Call& call, int rank, std::size_t index);

/// All ranks' numbers at `index`, reduced; integers wrap.
std::int64_t reduced(const Call& call, int ranks, std::size_t index);

/// Writes a number as element `index`.
void store(const Element& element, std::int64_t number, std::byte* data, std::size_t index);

}  // namespace airamp::device_tests
