// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace airamp::gpu_tests {

/// The median of `rounds` times (microseconds, each that of the slowest rank) that `timed` returns, first of the MPI
/// library alone, then through AIRamp: "native 12.3, AIRamp 45.6 us". Without the first where the library cannot read
/// device memory. `timed` begins on all ranks at once. Collective.
std::string native_and_airamp(int rounds, const std::function<double()>& timed);

/// "12.3", with one digit behind the point.
std::string to_text(double value);

/// Adds "label: figure" to what `figures` holds.
void add_figure(std::string& figures, const std::string& label, const std::string& figure);

}  // namespace airamp::gpu_tests
