// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::pmpi {

/// Tells hosts apart: made of the name, and of the number that the kernel draws when it boots; and emulated ones, as
/// the setting `ranks_per_host` says. Thread-safe, after MPI_Init.
std::uint64_t host_identity();

}  // namespace airamp::pmpi
