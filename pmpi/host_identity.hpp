// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::pmpi {

/// Tells hosts apart: made of the name, and of the number that the kernel draws when it boots. Thread-safe.
std::uint64_t host_identity();

}  // namespace airamp::pmpi
