// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/file_descriptor.hpp"

/// Files in memory that processes of one host share: how one makes them and others find them. A descriptor is not
/// valid if there is no such file. Local and thread-safe.
namespace airamp::pmpi::shared_file {

/// In the host's shared memory; empty: a file without a path.
using Name = std::array<char, 64>;

/// From now on so many bytes of the host's shared memory are left to messages, and memory for as many files without a
/// path as the host has ranks. Of the process.
void leave_room(std::uint64_t of_messages, int ranks_on_host) noexcept;

/// A new file of so many bytes, all of them allocated: memory that is not there would kill whoever writes to it. The
/// name is empty if it cannot be made.
base::FileDescriptor create_named(Name& name, std::size_t bytes) noexcept;
base::FileDescriptor open_named(const Name& name) noexcept;
/// It lives on in those who have it open.
void remove_named(const Name& name) noexcept;

/// Whether there is memory for so many bytes of what no file system bounds: who takes more than its control group has
/// is killed.
bool affords_without_path(std::size_t bytes) noexcept;
/// Nothing is left of it, whoever opens it or ends when. All of its bytes are allocated.
base::FileDescriptor create_without_path(std::size_t bytes) noexcept;

/// What another process has open by this descriptor, if it may be one of these files, with a name or without. On
/// another host the numbers may be anything's, of which not even the opening is harmless.
base::FileDescriptor open_of_process(int process, int descriptor) noexcept;

}  // namespace airamp::pmpi::shared_file
