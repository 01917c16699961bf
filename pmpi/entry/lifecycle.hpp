// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace airamp::pmpi {

/// Everything that happens once MPI is there: reads the settings, shakes hands, switches AIRamp on. Never throws and
/// never fails the application: whatever goes wrong leaves AIRamp off. Nothing happens the second time: an MPI library
/// may come to MPI_Init_thread by way of MPI_Init.
void start() noexcept;

/// Writes the report and gives back everything that AIRamp holds in MPI. Collective over MPI_COMM_WORLD. Called once.
void stop() noexcept;

/// Whether the real MPI_Finalize calls `stop`: after the attribute callbacks of the application's on MPI_COMM_SELF, in
/// which it may still do everything that it does elsewhere, and before anything else.
bool stops_in_finalize() noexcept;

/// Sends the application's calls straight to the MPI library from now on: where AIRamp is off, and for a program of
/// another binary interface, whose arguments only it understands. Set by the entry points, which unit tests do without;
/// nullptr where there is no way.
inline constinit std::atomic<void (*)() noexcept> step_aside{nullptr};

/// Sends what looks at requests (MPI_Test, ...) straight to the MPI library, uncounted, until AIRamp starts a
/// collective itself: programs look in loops, millions of times, and the library takes 20 ns. Set like `step_aside`.
inline constinit std::atomic<void (*)() noexcept> pass_tests{nullptr};

}  // namespace airamp::pmpi
