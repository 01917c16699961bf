// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// In place of native_library.cpp in libairamp.a, for programs that are linked with a static MPI library: its functions
// are found by the linker. cmake/merge_static_library.cmake renames PMPI_X to __real_PMPI_X, as --wrap wants it, where
// we have a function of that name. MPICH's handles are numbers: there is no data to find.
#include <cstring>

#include "pmpi/mpi/native_library.hpp"

#define AIRAMP_OFFERS(feature) AIRAMP_MPI_HAS_##feature

// Without parameters: here they are addresses alone. What an MPI library may lack is weak.
#define AIRAMP_COUNTED(name, bytes, parameters, arguments) extern "C" void airamp_real_##name() __asm__("P" #name);
#define AIRAMP_HOOKED(name, parameters, arguments) extern "C" void airamp_real_##name() __asm__("P" #name);
#include "pmpi/mpi/functions.inc"
#undef AIRAMP_COUNTED
#undef AIRAMP_HOOKED
#define AIRAMP_NATIVE(name) extern "C" void airamp_native_##name() __asm__("PMPI_" #name);
#define AIRAMP_NATIVE_OPTIONAL(name, parameters) \
  extern "C" __attribute__((weak)) void airamp_native_##name() __asm__("PMPI_" #name);
#include "pmpi/mpi/native_functions.inc"
#undef AIRAMP_NATIVE
#undef AIRAMP_NATIVE_OPTIONAL
extern "C" __attribute__((weak)) void airamp_native_query_cuda() __asm__("MPIX_Query_cuda_support");
extern "C" __attribute__((weak)) void airamp_native_query_rocm() __asm__("MPIX_Query_rocm_support");
extern "C" __attribute__((weak)) void airamp_native_query_hip() __asm__("MPIX_Query_hip_support");

namespace airamp::pmpi {
namespace {

struct NamedFunction {
  const char* name;
  void (*address)();
};

#define AIRAMP_OFFERS(feature) AIRAMP_MPI_HAS_##feature  // the table undefines it

const NamedFunction functions[] = {
#define AIRAMP_COUNTED(name, bytes, parameters, arguments) {"P" #name, &airamp_real_##name},
#define AIRAMP_HOOKED(name, parameters, arguments) {"P" #name, &airamp_real_##name},
#include "pmpi/mpi/functions.inc"
#undef AIRAMP_COUNTED
#undef AIRAMP_HOOKED
#define AIRAMP_NATIVE(name) {"PMPI_" #name, &airamp_native_##name},
#define AIRAMP_NATIVE_OPTIONAL(name, parameters) {"PMPI_" #name, &airamp_native_##name},
#include "pmpi/mpi/native_functions.inc"
#undef AIRAMP_NATIVE
#undef AIRAMP_NATIVE_OPTIONAL
    {"MPIX_Query_cuda_support", &airamp_native_query_cuda},
    {"MPIX_Query_rocm_support", &airamp_native_query_rocm},
    {"MPIX_Query_hip_support", &airamp_native_query_hip},
};

}  // namespace

void* native_function(const char* name) noexcept {
  for (const NamedFunction& function : functions) {
    if (std::strcmp(function.name, name) == 0) return reinterpret_cast<void*>(function.address);
  }
  return nullptr;
}

void* native_data(const char* /*name*/) noexcept { return nullptr; }

}  // namespace airamp::pmpi
