// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstddef>

namespace airamp::base {

/// While it lives, a write of this thread's to a pipe that nobody reads, or past the largest size of a file, is an
/// error and no signal: those signals are the application's, and would end it. What it had blocked or pending stays so.
class WriteSignalsBlocked {
 public:
  WriteSignalsBlocked() noexcept;
  ~WriteSignalsBlocked();
  WriteSignalsBlocked(const WriteSignalsBlocked&) = delete;
  WriteSignalsBlocked& operator=(const WriteSignalsBlocked&) = delete;

 private:
  bool blocked_;
  sigset_t mask_before_;
  sigset_t to_drop_;  ///< those that were not pending before
};

/// write(2) that raises no signal. Thread-safe.
ssize_t quiet_write(int descriptor, const void* bytes, std::size_t count) noexcept;

}  // namespace airamp::base
