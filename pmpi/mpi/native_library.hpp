// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::pmpi {

/// Address of a function of the MPI library that the application uses, passing over our own definitions; nullptr if it
/// has none or no MPI library is loaded. Thread-safe. Never loads a library.
void* native_function(const char* name) noexcept;

/// The same for data, which may lie in the program: linkers copy a library's variables there (copy relocation) and the
/// library then uses the copy.
void* native_data(const char* name) noexcept;

}  // namespace airamp::pmpi
