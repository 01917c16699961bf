// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <string>

namespace airamp::probe {

/// A shared library that is opened at run time and kept until the process ends: drivers and MPI libraries do not all
/// bear to be closed.
class OpenedLibrary {
 public:
  /// By a path, or by a name that the loader looks for.
  explicit OpenedLibrary(const std::string& name, int binding = RTLD_LAZY)
      : handle_(dlopen(name.c_str(), binding | RTLD_LOCAL)) {
    if (handle_ == nullptr) trouble_ = dlerror();
  }

  /// Why it could not be opened; empty if it was.
  const std::string& trouble() const { return trouble_; }

  /// One of its functions; nullptr if it has none of that name, or was not opened.
  template <typename Function>
  Function* function(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, name));
  }

  /// Makes `pointer` one of its functions; false if it has none of that name.
  template <typename Function>
  bool resolve(Function*& pointer, const char* name) const {
    pointer = function<Function>(name);
    return pointer != nullptr;
  }

 private:
  void* handle_;
  std::string trouble_;
};

}  // namespace airamp::probe
