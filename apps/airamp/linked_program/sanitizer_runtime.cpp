// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/linked_program/sanitizer_runtime.hpp"

#include <algorithm>
#include <string_view>

#include "apps/airamp/linked_program/loaded_libraries.hpp"
#include "apps/airamp/linked_program/loaded_program.hpp"

namespace airamp::command_line {
namespace {

bool is_address_sanitizer(std::string_view name) {
  return name.starts_with("libasan.so") || name.starts_with("libclang_rt.asan");
}

}  // namespace

std::string address_sanitizer_of(const std::string& program) {
  const LoadedProgram loaded = loaded_program(program);
  const auto& needed = loaded.file.needed;
  // What a library of the program needs comes too late natively.
  if (std::none_of(needed.begin(), needed.end(), is_address_sanitizer)) return {};
  for (const LoadedLibrary& library : loaded_libraries(loaded.file.loader, loaded.path)) {
    if (is_address_sanitizer(library.name)) return library.file;
  }
  return {};
}

}  // namespace airamp::command_line
