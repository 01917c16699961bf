// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gpu/location.hpp"
#include "pmpi/device/gpu_device.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/types/datatype_rows.hpp"
#include "pmpi/types/datatype_span.hpp"

namespace airamp::pmpi {

/// A buffer as an MPI library that cannot read GPU memory may have it: the application's own, or a copy on the host
/// while this object lives.
class HostCopy {
 public:
  /// Of the bytes `span` of `buffer`, which may be a value like MPI_IN_PLACE. `load`: what they hold matters. Throws
  /// std::bad_alloc.
  HostCopy(const void* buffer, Span span, bool load);

  /// Brings what the buffer holds now to the copy, if there is one. False if that failed.
  bool load();

  /// What to give to the MPI library.
  void* buffer() const { return seen_; }

  /// Whether a copy is needed and could not be made.
  bool failed() const { return failed_; }

  /// Whether there is one.
  bool exists() const { return copy_ != nullptr; }

  /// Brings these bytes of the copy back to the GPU, and no others: other threads and kernels of the application may be
  /// at work on what lies between them. False if that failed.
  bool store(const std::vector<Rows>& rows, CopyOrder order = CopyOrder::after_default_stream);

 private:
  void* real_;
  void* seen_;
  Span span_;
  GpuDevice* device_ = nullptr;
  std::unique_ptr<std::byte[]> copy_;
  bool failed_ = false;
};

/// One buffer of a native call.
struct NativeBuffer {
  const void* address;
  Span span;
  bool load;
};

/// Whether there may be buffers that the MPI library cannot read. Asked first where it takes a while to say which
/// buffers a call has, as it does to ask for this rank's number: a short call takes no longer.
inline bool may_need_copies() noexcept { return job().copies_gpu_buffers; }

/// Whether the MPI library cannot read one of these buffers.
inline bool need_copies(const void* input, const void* output) noexcept {
  return may_need_copies() && gpu::either_on_device(output, input);
}

/// The same of reductions that one call starts and another completes.
bool need_copies_when_started(const void* input, const void* output) noexcept;

/// Raises an error of copying between host and GPU on `comm`.
int copy_failed(MPI_Comm comm);

/// Runs `run(input, output)` with buffers that the MPI library can read. `written()`: the bytes of the output that the
/// call writes. Throws std::bad_alloc.
template <class Written, class Run>
int run_on_host(MPI_Comm comm, const NativeBuffer& input, const NativeBuffer& output, const Written& written,
                const Run& run) {
  const HostCopy in(input.address, input.span, input.load);
  HostCopy out(output.address, output.span, output.load);
  if (in.failed() || out.failed()) return copy_failed(comm);
  const int error = run(in.buffer(), out.buffer());
  if (error != MPI_SUCCESS) return error;
  return !out.exists() || out.store(written()) ? MPI_SUCCESS : copy_failed(comm);
}

}  // namespace airamp::pmpi
