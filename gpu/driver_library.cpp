// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/driver_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <iterator>

namespace airamp::gpu {
namespace {

/// A search among the names of the loaded libraries.
struct Search {
  std::string_view file_prefix;
  char path[4096];
  bool found = false;
};

/// For dl_iterate_phdr, which holds the loader's lock meanwhile: takes a note, and calls nothing of the loader's.
int note_match(dl_phdr_info* object, std::size_t /*size*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  const std::string_view path = object->dlpi_name == nullptr ? "" : object->dlpi_name;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  if (file.substr(0, search.file_prefix.size()) != search.file_prefix || path.size() >= std::size(search.path)) {
    return 0;
  }
  std::memcpy(search.path, path.data(), path.size());
  search.path[path.size()] = '\0';
  search.found = true;
  return 1;
}

}  // namespace

std::uint64_t loaded_library_count() noexcept {
  std::uint64_t count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t /*size*/, void* data) {
        *static_cast<std::uint64_t*>(data) = object->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

void* DriverLibrary::handle(std::uint64_t load_count) noexcept {
  if (void* const known = handle_.load(std::memory_order_acquire)) return known;
  if (looked_at_.load(std::memory_order_acquire) == load_count) return nullptr;
  Search search{.file_prefix = file_prefix_, .path = {}};
  dl_iterate_phdr(note_match, &search);
  void* found = nullptr;
  if (search.found) {
    // Waits for a thread that is still in the middle of loading it.
    found = dlopen(search.path, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    // Unloaded in the meantime: the application must not find an error that it did not cause.
    if (found == nullptr) dlerror();
  }
  handle_.store(found, std::memory_order_release);
  // Last: whoever sees this count sees the handle too.
  looked_at_.store(load_count, std::memory_order_release);
  return found;
}

}  // namespace airamp::gpu
