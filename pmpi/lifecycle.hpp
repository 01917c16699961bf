// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::pmpi {

/// Everything that happens once MPI is there: reads the settings, shakes hands, switches AIRamp on. Never throws and
/// never fails the application: whatever goes wrong leaves AIRamp off.
void start() noexcept;

/// Writes the report and gives back everything that AIRamp holds in MPI. Called before the real MPI_Finalize.
void stop() noexcept;

}  // namespace airamp::pmpi
