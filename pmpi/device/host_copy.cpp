// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/host_copy.hpp"

#include <algorithm>

#include "gpu/location.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

HostCopy::HostCopy(const void* buffer, Span span, bool load)
    : real_(const_cast<void*>(buffer)), seen_(real_), span_(span) {
  if (span.begin == span.end) return;
  const gpu::Location location = gpu::locate(buffer);
  if (location.memory != gpu::Memory::device) return;
  device_ = gpu_device(location);
  failed_ = device_ == nullptr;
  if (failed_) return;
  const auto bytes = static_cast<std::size_t>(span.end - span.begin);
  copy_.reset(new std::byte[bytes]);  // not filled: every page is written by a copy
  seen_ = copy_.get() - span.begin;
  if (load) failed_ = !this->load();
}

bool HostCopy::load() {
  if (!exists()) return true;
  const auto bytes = static_cast<std::size_t>(span_.end - span_.begin);
  return device_->copy(copy_.get(), static_cast<std::byte*>(real_) + span_.begin, bytes);
}

bool HostCopy::store(const std::vector<Rows>& rows, CopyOrder order) {
  return std::all_of(rows.begin(), rows.end(), [&](const Rows& some) {
    return device_->copy_rows(static_cast<std::byte*>(real_) + some.begin, static_cast<std::byte*>(seen_) + some.begin,
                              some.bytes, some.stride, some.count, order);
  });
}

bool need_copies_when_started(const void* input, const void* output) noexcept {
  return job().copies_started_gpu_buffers && gpu::either_on_device(output, input);
}

int copy_failed(MPI_Comm comm) {
  native().Comm_call_errhandler(comm, MPI_ERR_BUFFER);
  return MPI_ERR_BUFFER;
}

}  // namespace airamp::pmpi
