// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::pmpi {

/// Marks that this thread is inside a wrapped function: calls that the MPI library makes to itself through PMPI_ names
/// (Fortran bindings do not, ROMIO and MPICH do) come back to our entry points and must not be taken for the
/// application's.
class InsideWrapper {
 public:
  InsideWrapper() noexcept { ++depth_; }
  ~InsideWrapper() { --depth_; }
  InsideWrapper(const InsideWrapper&) = delete;
  InsideWrapper& operator=(const InsideWrapper&) = delete;

  static bool active() noexcept { return depth_ != 0; }

 private:
  // initial-exec: one load instead of a call on the path of every collective; the library is there from the start
  [[gnu::tls_model("initial-exec")]] static inline thread_local int depth_ = 0;
};

}  // namespace airamp::pmpi
