// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "telemetry/report.hpp"

namespace airamp::pmpi {

/// This rank's figures of the whole run. Only from MPI_Finalize. May throw std::bad_alloc.
telemetry::Report make_report();

}  // namespace airamp::pmpi
