// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/native_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <string>
#include <vector>

namespace airamp::pmpi {
namespace {

constexpr const char* probe_symbol = "PMPI_Comm_rank";  // in every MPI library, never wrapped

int collect_mpi_library(dl_phdr_info* info, std::size_t /*size*/, void* names) {
  const char* path = info->dlpi_name;
  if (path == nullptr) return 0;
  const char* slash = std::strrchr(path, '/');
  const char* base = slash != nullptr ? slash + 1 : path;
  if (std::strncmp(base, "libmpi", 6) == 0) static_cast<std::vector<std::string>*>(names)->emplace_back(path);
  return 0;
}

/// A handle on an MPI library that was loaded out of our sight (RTLD_LOCAL, as Python does with extension modules).
void* find_hidden_library() {
  std::vector<std::string> names;  // opened after the walk: the walk holds the loader's lock
  dl_iterate_phdr(collect_mpi_library, &names);
  for (const std::string& name : names) {
    void* handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle != nullptr && dlsym(handle, probe_symbol) != nullptr) return handle;
    if (handle != nullptr) dlclose(handle);
  }
  return nullptr;
}

void* library_handle() {
  static void* const handle = dlsym(RTLD_NEXT, probe_symbol) != nullptr ? RTLD_NEXT : find_hidden_library();
  return handle;
}

}  // namespace

void* native_function(const char* name) noexcept {
  void* const handle = library_handle();
  return handle != nullptr ? dlsym(handle, name) : nullptr;
}

void* native_data(const char* name) noexcept {
  void* const handle = library_handle();
  return handle != nullptr ? dlsym(handle == RTLD_NEXT ? RTLD_DEFAULT : handle, name) : nullptr;
}

}  // namespace airamp::pmpi
