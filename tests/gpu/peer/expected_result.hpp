// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/gpu/peer/peer_case.hpp"

namespace airamp::gpu::test {

/// What the memory of a rank's output must hold afterwards: without loss by arithmetic in rank order, in a block-scaled
/// format by the host's reference codec.
Bytes expected_output(const PeerCase& c, int rank);

/// Where two results differ, or an empty text. In lossless reductions any NaN equals any other.
std::string difference(const PeerCase& c, const Bytes& got, const Bytes& wanted);

}  // namespace airamp::gpu::test
