// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The MPI_ functions that the application reaches, generated from functions.inc. Each is also the PMPI_ function of its
// name: the Fortran bindings of Open MPI and half of MPICH's call that one. The C++ names differ from the symbols', so
// that these definitions need not agree with a particular mpi.h on functions that it may lack.
//
// Every call that arrives is taken for the application's, whatever called it. MPI libraries call such functions
// themselves in MPI_File_* alone, which is not wrapped, on communicators of their own, and on all ranks. What runs
// inside of a wrapped call (error handlers, attribute callbacks, with user-level threads other calls) is the
// application's. An error handler may leave by an exception or a jump: nothing on the stack is relied on to be cleared.
#include <array>
#include <cstdio>
#include <new>

#include "pmpi/entry/hooks.hpp"
#include "pmpi/entry/timed_call.hpp"
#include "pmpi/job/counting.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "telemetry/log.hpp"

using namespace airamp::pmpi;

// An undefined macro counts as 0 in #if: the build defines those of the features that the MPI library has.
#define AIRAMP_OFFERS(feature) AIRAMP_MPI_HAS_##feature

#define AIRAMP_EXPORT extern "C" __attribute__((visibility("default")))

#define AIRAMP_DECLARE(name, parameters)                           \
  AIRAMP_EXPORT int airamp_entry_##name parameters __asm__(#name); \
  AIRAMP_EXPORT int airamp_alias_##name parameters __asm__("P" #name) __attribute__((alias(#name)));

#define AIRAMP_COUNTED(name, bytes, parameters, arguments)                        \
  AIRAMP_DECLARE(name, parameters)                                                \
  int airamp_entry_##name parameters {                                            \
    const ObservedCall observed(Function::name, bytes, comm);                     \
    if (native().name == nullptr) return missing_function(#name, MPI_COMM_WORLD); \
    return native().name arguments;                                               \
  }

#define AIRAMP_TIMED(name, parameters, arguments)                                 \
  AIRAMP_DECLARE(name, parameters)                                                \
  int airamp_entry_##name parameters {                                            \
    const TimedCall timed(Function::name);                                        \
    if (native().name == nullptr) return missing_function(#name, MPI_COMM_WORLD); \
    return native().name arguments;                                               \
  }

#define AIRAMP_HOOKED(name, parameters, arguments) \
  AIRAMP_DECLARE(name, parameters)                 \
  int airamp_entry_##name parameters {             \
    try {                                          \
      return on_##name arguments;                  \
    } catch (const std::bad_alloc&) {              \
    }                                              \
    return out_of_memory(#name);                   \
  }

namespace {

/// AIRamp's own bookkeeping found no memory; to go on would put this rank out of step with the others. Called outside
/// of the catch block, which an error handler's jump would leave open.
int out_of_memory(const char* name) {
  std::array<char, 80> message{};
  std::snprintf(message.data(), message.size(), "%s: out of memory", name);
  airamp::telemetry::log(airamp::config::LogLevel::error, message.data());
  native().Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
  return MPI_ERR_NO_MEM;
}

}  // namespace

#include "pmpi/mpi/functions.inc"

AIRAMP_DECLARE(MPI_Pcontrol, (const int level, ...))

int airamp_entry_MPI_Pcontrol(const int level, ...) {
  // what follows the level is a private matter between the application and another tool, and cannot be passed on
  count_call(Function::MPI_Pcontrol, 0);
  on_pcontrol(level);
  return native().Pcontrol(level);
}
