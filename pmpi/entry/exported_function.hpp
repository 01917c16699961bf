// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// AIRAMP_EXPORTED_FUNCTION(name, parameters): the MPI function `name`, and the PMPI_ function of its name. Declares
// entry_<name>, which is to be defined behind it and gets the calls.
//
// The exported function is a jump to where the atomic target_<name> points. Once that is the MPI library's own
// function, the call reaches it as if nobody stood in between, whatever its arguments are: in a program of another
// binary interface than AIRamp's, a handle has another size.
#pragma once

#include <atomic>

#if defined(__x86_64__)
// The first instruction allows calls by pointer where the processor checks them.
#define AIRAMP_JUMP_TO(target) "endbr64\n jmp *" target "(%rip)\n"
#elif defined(__aarch64__)
#define AIRAMP_JUMP_TO(target) "hint #34\n adrp x16, " target "\n ldr x16, [x16, #:lo12:" target "]\n br x16\n"
#endif

// The C++ names differ from the symbols', so that these definitions need not agree with a particular mpi.h on functions
// that it may lack.
#define AIRAMP_EXPORT extern "C" __attribute__((visibility("default")))

#ifdef AIRAMP_JUMP_TO
#define AIRAMP_SYMBOL(symbol) ".globl " symbol "\n .type " symbol ", %function\n" symbol ":\n"
#define AIRAMP_SYMBOL_END(symbol) ".size " symbol ", . - " symbol "\n"
#define AIRAMP_CODE(name, alias, target)                                                                      \
  ".pushsection .text\n .balign 16\n" AIRAMP_SYMBOL(name)                                                     \
      AIRAMP_SYMBOL(alias) ".cfi_startproc\n" AIRAMP_JUMP_TO(target) ".cfi_endproc\n" AIRAMP_SYMBOL_END(name) \
          AIRAMP_SYMBOL_END(alias) ".popsection"

#define AIRAMP_EXPORTED_FUNCTION(name, parameters)                                     \
  static int entry_##name parameters;                                                  \
  extern std::atomic<int(*) parameters> target_##name __asm__("airamp.target." #name); \
  constinit std::atomic<int(*) parameters> target_##name{&entry_##name};               \
  __asm__(AIRAMP_CODE(#name, "P" #name, "airamp.target." #name));
#else  // No way to step aside is known for this processor.
#define AIRAMP_EXPORTED_FUNCTION(name, parameters)          \
  AIRAMP_EXPORT int entry_##name parameters __asm__(#name); \
  AIRAMP_EXPORT int alias_##name parameters __asm__("P" #name) __attribute__((alias(#name)));
#endif
