// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/backend_loader.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <exception>
#include <memory>

namespace airamp::gpu {
namespace {

void explain(Error& error, std::string_view text) {
  error = {};
  std::copy_n(text.begin(), std::min(text.size(), error.text.size() - 1), error.text.begin());
}

/// The folder of the library, or the program, that contains this function, with a slash; empty if it was found by its
/// name alone.
std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr) return {};
  const std::string_view path = info.dli_fname;
  return std::string(path.substr(0, path.rfind('/') + 1));
}

/// What became of one platform's plugin.
struct Opened {
  explicit Opened(std::string_view name) noexcept {
    try {
      table = open_backend(own_folder() + "libairamp-" + std::string(name) + ".so", name, error);
    } catch (const std::exception& exception) {
      explain(error, exception.what());
    }
  }

  const Backend* table = nullptr;
  Error error;
};

const Opened& opened(Platform platform) {
  if (platform == Platform::cuda) {
    static const Opened cuda("cuda");
    return cuda;
  }
  static const Opened hip("hip");
  return hip;
}

}  // namespace

const Backend* open_backend(const std::string& path, std::string_view name, Error& error) {
  struct Close {
    void operator()(void* library) const { dlclose(library); }
  };
  error = {};
  std::unique_ptr<void, Close> library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (library == nullptr) {
    const char* const reason = dlerror();
    explain(error, reason == nullptr ? path : reason);
    return nullptr;
  }
  const auto entry = reinterpret_cast<const Backend* (*)()>(dlsym(library.get(), backend_symbol));
  if (entry == nullptr) {
    dlerror();
    explain(error, path + " is not a plugin of AIRamp");
    return nullptr;
  }
  const Backend* const table = entry();
  if (table == nullptr || table->version != backend_version) {
    explain(error, path + " has version " + (table == nullptr ? "none" : std::to_string(table->version)) +
                       " of the plugin interface, not " + std::to_string(backend_version));
    return nullptr;
  }
  if (table->name != name) {
    explain(error, path + " is the plugin " + table->name + ", not " + std::string(name));
    return nullptr;
  }
  static_cast<void>(library.release());
  return table;
}

const Backend* backend(Platform platform, Error& error) noexcept {
  if (platform == Platform::none) {
    explain(error, "host memory needs no plugin");
    return nullptr;
  }
  const Opened& plugin = opened(platform);
  error = plugin.error;
  return plugin.table;
}

}  // namespace airamp::gpu
