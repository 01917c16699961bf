// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/call_sites/address_name.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace airamp::pmpi {
namespace {

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? text.get() : symbol;
}

/// The dynamic linker calls the program's own file by no name.
std::string path_of(const char* name) {
  if (*name != '\0') return name;
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

}  // namespace

telemetry::Report::Frame name_of_call(const void* address) {
  // The call lies before the address that it returns to, which may be another line's, or another function's.
  const auto place = reinterpret_cast<std::uintptr_t>(address) - 1;
  Dl_info info{};
  link_map* object = nullptr;
  if (dladdr1(reinterpret_cast<const void*>(place), &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0 ||
      object == nullptr)
    return {.object = "", .offset = place, .symbol = ""};
  return {.object = path_of(object->l_name),
          .offset = place - object->l_addr,
          .symbol = info.dli_sname != nullptr ? demangled(info.dli_sname) : ""};
}

}  // namespace airamp::pmpi
