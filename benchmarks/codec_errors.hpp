// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::benchmarks {

/// Prints the errors of every wire format on sums of four arrays, each encoded and their sum encoded again, as a
/// two-shot reduction does: of standard normals, of what looks like gradients of a neural network, and of what looks
/// like fields of a simulation.
void print_codec_errors();

}  // namespace airamp::benchmarks
