// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "telemetry/report.hpp"

namespace airamp::pmpi {

/// Where in the program the call is that returns to `address`: its file, the place in it as `addr2line` wants it, and
/// the function, if it is among those that the file exports. Throws std::bad_alloc.
telemetry::Report::Frame name_of_call(const void* address);

}  // namespace airamp::pmpi
