// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::laws {

/// What a program does between MPI_Init and MPI_Finalize, if it takes run_main.cpp for its main.
void run();

}  // namespace airamp::laws
