// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What a rank or its surroundings do to a job. Each function is a whole program: it calls MPI_Init and MPI_Finalize,
// or does not. `arguments` are those behind the case's name.
#pragma once

#include <string>
#include <vector>

namespace airamp::faults {

using Arguments = std::vector<std::string>;

/// Argument `index` as a number; `otherwise` if there is none.
inline long number(const Arguments& arguments, std::size_t index, long otherwise) {
  return index < arguments.size() ? std::stol(arguments[index]) : otherwise;
}

/// [ROUNDS]: nothing at all.
void well(const Arguments& arguments);

// deaths.cpp: of the last rank, by SIGKILL

/// STAGE: init, first, learning, learnt, inside, waited-for, finalize.
void killed(const Arguments& arguments);
/// The same where errors are to be returned: the others leave the class of their error as their verdict.
void killed_errors_return(const Arguments& arguments);

// exits.cpp: of the last rank, where others wait for it, or of all

void aborts(const Arguments& arguments);
/// STATUS: of the last rank.
void exits(const Arguments& arguments);
void all_exit(const Arguments& arguments);

// processes.cpp: children

void forks(const Arguments& arguments);
/// COMMAND: run by a shell in between.
void runs(const Arguments& arguments);

// surroundings.cpp: what a program does to its own

void clears_environment(const Arguments& arguments);
void removes_working_folder(const Arguments& arguments);
/// LOCALE.
void sets_locale(const Arguments& arguments);
void closes_outputs(const Arguments& arguments);
/// [restart]: a timer's signal, a thousand times a second.
void has_signals(const Arguments& arguments);

// limits.cpp: set after MPI_Init, on the last rank or on all

/// memory|files|descriptors REST all|last: what may still be had of it.
void limits(const Arguments& arguments);

// threads.cpp

/// KIB: all calls in a thread with so small a stack.
void small_stack(const Arguments& arguments);
/// Each of three threads with communicators of its own.
void threads(const Arguments& arguments);

// worlds.cpp

/// The two halves of the world connect, and work together.
void connects(const Arguments& arguments);
/// MPI_Session_init in place of MPI_Init.
void session(const Arguments& arguments);

}  // namespace airamp::faults
