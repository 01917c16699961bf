// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

#include "base/file_descriptor.hpp"

namespace airamp::base {

/// Why an open file or folder must not be relied on, or empty: it must belong to `user`, and others must not write to
/// it.
std::string why_not_trusted(int descriptor, uid_t user);

/// A file or folder that was opened, or why it was not.
struct OwnedEntry {
  FileDescriptor descriptor;
  std::string why_not;
  bool missing = false;  ///< it is not there; why_not says so too
};

/// Opens a folder, or a file, for reading. `user`, whose it is, may have put anything in its place, and whoever runs
/// this may have more rights than `user`: neither symbolic links nor mounts are followed, nobody else may own it or
/// write to it, and nothing else is opened, since to open a pipe or a device may have effects, and to ask a file system
/// of the user's may take for ever. `name` lies in the open folder `parent`. Needs /proc. Thread-safe.
OwnedEntry open_owned_folder(int parent, const std::string& name, uid_t user);
OwnedEntry open_owned_file(int parent, const std::string& name, uid_t user);

}  // namespace airamp::base
