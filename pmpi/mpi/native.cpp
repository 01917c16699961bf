// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/native.hpp"

#include "base/asked_by_every_call.hpp"

namespace airamp::pmpi {

AIRAMP_ASKED_BY_EVERY_CALL std::atomic<const Native*> resolved_native{nullptr};

namespace {

template <class FunctionPointer>
void resolve(FunctionPointer& pointer, const char* symbol) noexcept {
  pointer = reinterpret_cast<FunctionPointer>(native_function(symbol));
}

Native resolve_all() noexcept {
  Native table;
#define AIRAMP_COUNTED(name, bytes, parameters, arguments) resolve(table.name, "P" #name);
#define AIRAMP_HOOKED(name, parameters, arguments) resolve(table.name, "P" #name);
#include "pmpi/mpi/functions.inc"
#undef AIRAMP_COUNTED
#undef AIRAMP_HOOKED
#define AIRAMP_NATIVE(name) resolve(table.name, "PMPI_" #name);
#define AIRAMP_NATIVE_OPTIONAL(name, parameters) resolve(table.name, "PMPI_" #name);
#include "pmpi/mpi/native_functions.inc"
#undef AIRAMP_NATIVE
#undef AIRAMP_NATIVE_OPTIONAL
  return table;
}

}  // namespace

const Native& resolve_native() noexcept {
  static const Native table = resolve_all();
  resolved_native.store(&table, std::memory_order_release);
  return table;
}

}  // namespace airamp::pmpi
