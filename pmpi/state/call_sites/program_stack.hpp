// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace airamp::pmpi {

/// Reads return addresses off the calling thread's stack: those of the program, innermost first, behind this library's
/// own and the MPI library's, through which Fortran's calls come. Thread-safe.
class ProgramStack {
 public:
  /// Looks up where the libraries lie that are to be left out. Throws std::bad_alloc.
  ProgramStack();

  /// Fills `addresses`; how many there are. 0 where this library is a part of the program's own file, which it cannot
  /// be told from there. Some microseconds.
  std::size_t read(std::span<void*> addresses) const noexcept;

 private:
  struct Range {
    std::uintptr_t begin;
    std::uintptr_t end;
  };
  bool is_left_out(const void* address) const noexcept;

  bool known_ = true;  ///< where the program begins
  std::vector<Range> left_out_;
};

}  // namespace airamp::pmpi
