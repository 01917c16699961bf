// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/file_descriptor.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Who share a segment: the ranks of a communicator, or of several hosts those of one.
struct Sharers {
  MPI_Comm comm;
  int rank;                          ///< in `comm`
  int maker = 0;                     ///< which of the ranks of this one's host makes the segment
  std::span<const int> makers = {};  ///< of several hosts each one's, the same on all ranks
};

/// Memory that ranks of one host share. Zero at first; gone with the last rank that has it, whatever ends that rank.
class SharedSegment {
 public:
  SharedSegment() = default;
  ~SharedSegment() { close(); }
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;

  /// Collective over the sharers' communicator. Of the host's shared memory or, where that is missing or has no room, a
  /// file without a path, if the host and its control groups have memory for it. Ranks that do not see the maker's
  /// shared memory, as those of another container, find it by the maker's process. `prepare` runs on each rank that has
  /// the memory, and says whether that rank has what else it needs. Whether all ranks of the communicator have.
  Result<bool> open(const Sharers& sharers, std::size_t bytes, const std::function<bool()>& prepare);

  /// Which memory of which process. Plain data, that one rank may send to others; zero: none.
  struct Invitation {
    std::uint64_t token;      ///< random enough to tell this memory from another at the same place on another host
    std::int32_t process;     ///< which made it
    std::int32_t descriptor;  ///< of that process
  };

  /// Without a call that waits for others: one rank makes the memory, and is the last to have it; the others join.
  /// Local. What they return is whether this rank has it.
  bool create(std::size_t bytes, Invitation& invitation) noexcept;
  bool join(const Invitation& invitation, std::size_t bytes) noexcept;

  /// Local.
  void close() noexcept;

  /// What tells this memory from any other; of open memory.
  std::uint64_t token() const noexcept;

  /// What it takes of the host's memory; 0 if it is not open.
  std::size_t bytes() const noexcept { return mapped_bytes_; }

  /// Whether half of the file system that this is in is free, as far as it can be said; of memory whose descriptor is
  /// open.
  bool half_is_free() const noexcept;

  /// Aligned to cache lines; nullptr if it is not open.
  std::byte* data() const noexcept { return data_; }

  /// Of the file behind it, for locks; -1 once it is closed.
  int descriptor() const noexcept { return file_.get(); }

  /// Leaves the memory as it is: a program may have few descriptors, and communicators many.
  void close_descriptor() noexcept { file_ = base::FileDescriptor(); }

 private:
  Invitation own_invitation(std::uint64_t token) const noexcept;
  bool join_file(base::FileDescriptor file, std::size_t bytes, std::uint64_t token) noexcept;
  void map(std::size_t bytes) noexcept;
  void map_new(std::size_t bytes, std::uint64_t token) noexcept;
  void map_existing(std::size_t bytes, std::uint64_t token) noexcept;

  std::byte* data_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  base::FileDescriptor file_;
};

}  // namespace airamp::pmpi
