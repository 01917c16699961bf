// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The MPI_ functions that the application reaches, generated from functions.inc. Each is also the PMPI_ function of its
// name: the Fortran bindings of Open MPI and half of MPICH's call that one.
//
// Every call that arrives is taken for the application's, whatever called it. MPI libraries call such functions
// themselves in MPI_File_* alone, which is not wrapped, on communicators of their own, and on all ranks. What runs
// inside of a wrapped call (error handlers, attribute callbacks, with user-level threads other calls) is the
// application's. An error handler may leave by an exception or a jump: nothing on the stack is relied on to be cleared.
#include <array>
#include <cstdio>
#include <new>

#include "pmpi/entry/exported_function.hpp"
#include "pmpi/entry/hooks.hpp"
#include "pmpi/entry/lifecycle.hpp"
#include "pmpi/entry/timed_call.hpp"
#include "pmpi/job/counting.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/state/started/started_requests.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "telemetry/log.hpp"

using namespace airamp::pmpi;

// An undefined macro counts as 0 in #if: the build defines those of the features that the MPI library has.
#define AIRAMP_OFFERS(feature) AIRAMP_MPI_HAS_##feature

#define AIRAMP_COUNTED(name, bytes, parameters, arguments)                        \
  AIRAMP_EXPORTED_FUNCTION(name, parameters)                                      \
  int entry_##name parameters {                                                   \
    const ObservedCall observed(Function::name, bytes, comm);                     \
    if (native().name == nullptr) return missing_function(#name, MPI_COMM_WORLD); \
    return native().name arguments;                                               \
  }

/// Functions that a program calls in tight loops go to the MPI library by a jump, in as few instructions as may be.
#define AIRAMP_TIMED(name, parameters, arguments)                                 \
  AIRAMP_EXPORTED_FUNCTION(name, parameters)                                      \
  [[gnu::noinline]] static int timed_##name parameters {                          \
    if (native().name == nullptr) return missing_function(#name, MPI_COMM_WORLD); \
    const TimedCall timed(Function::name);                                        \
    return native().name arguments;                                               \
  }                                                                               \
  int entry_##name parameters {                                                   \
    count_call(Function::name, 0);                                                \
    if (is_untimed(Function::name)) return native().name arguments;               \
    return timed_##name arguments;                                                \
  }

#define AIRAMP_RUN_HOOK(name, arguments) \
  try {                                  \
    return on_##name arguments;          \
  } catch (const std::bad_alloc&) {      \
  }                                      \
  return out_of_memory(#name);

#define AIRAMP_CALLED_HOOK(name, parameters, arguments) \
  [[gnu::noinline]] static int hooked_##name parameters { AIRAMP_RUN_HOOK(name, arguments) }

#define AIRAMP_TESTING(name, parameters, arguments)                \
  AIRAMP_EXPORTED_FUNCTION(name, parameters)                       \
  AIRAMP_CALLED_HOOK(name, parameters, arguments)                  \
  int entry_##name parameters {                                    \
    count_call(Function::name, 0);                                 \
    if (!started_requests().any()) return native().name arguments; \
    return hooked_##name arguments;                                \
  }

#define AIRAMP_WAITING(name, parameters, arguments)                                              \
  AIRAMP_EXPORTED_FUNCTION(name, parameters)                                                     \
  AIRAMP_CALLED_HOOK(name, parameters, arguments)                                                \
  int entry_##name parameters {                                                                  \
    count_call(Function::name, 0);                                                               \
    if (!started_requests().any() && is_untimed(Function::name)) return native().name arguments; \
    return hooked_##name arguments;                                                              \
  }

#define AIRAMP_HOOKED(name, parameters, arguments) \
  AIRAMP_EXPORTED_FUNCTION(name, parameters)       \
  int entry_##name parameters { AIRAMP_RUN_HOOK(name, arguments) }

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
#undef AIRAMP_COUNTED
#undef AIRAMP_TIMED
#undef AIRAMP_HOOKED

AIRAMP_EXPORT int entry_pcontrol(const int level, ...) __asm__("MPI_Pcontrol");
AIRAMP_EXPORT int alias_pcontrol(const int level, ...) __asm__("PMPI_Pcontrol") __attribute__((alias("MPI_Pcontrol")));

int entry_pcontrol(const int level, ...) {
  // what follows the level is a private matter between the application and another tool, and cannot be passed on
  count_call(Function::MPI_Pcontrol, 0);
  on_pcontrol(level);
  return native().Pcontrol(level);
}

#ifdef AIRAMP_JUMP_TO
namespace {

void send_calls_to_library() noexcept {
#define AIRAMP_OFFERS(feature) AIRAMP_MPI_HAS_##feature
#define AIRAMP_COUNTED(name, bytes, parameters, arguments) \
  if (native().name != nullptr) target_##name.store(native().name);
#define AIRAMP_HOOKED(name, parameters, arguments) AIRAMP_COUNTED(name, 0, parameters, arguments)
#include "pmpi/mpi/functions.inc"
#undef AIRAMP_COUNTED
#undef AIRAMP_HOOKED
}

#define AIRAMP_COUNTED(name, bytes, parameters, arguments)
#define AIRAMP_HOOKED(name, parameters, arguments)
#define AIRAMP_WAITING(name, parameters, arguments)

void take_tests() noexcept {
#define AIRAMP_TESTING(name, parameters, arguments) target_##name.store(&entry_##name);
#include "pmpi/mpi/functions.inc"
}

void send_tests_to_library() noexcept {
  before_first_start.store(&take_tests);
#define AIRAMP_TESTING(name, parameters, arguments) target_##name.store(native().name);
#include "pmpi/mpi/functions.inc"
}

[[maybe_unused]] const bool can_step_aside = (step_aside.store(&send_calls_to_library), true);
[[maybe_unused]] const bool can_pass_tests = (pass_tests.store(&send_tests_to_library), true);

}  // namespace
#endif
