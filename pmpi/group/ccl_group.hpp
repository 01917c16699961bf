// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "gpu/backend.hpp"
#include "pmpi/device/gpu_device.hpp"
#include "pmpi/group/host/host_meeting.hpp"
#include "pmpi/group/made.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/mpi_progress.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// The ranks of a communicator, on one host or several, as a communicator of the site's collective communication
/// library. Used by one thread at a time.
class CclGroup {
 public:
  /// Collective over `comm`, and slow. `location`: of this rank's buffer. Empty unless all ranks could.
  /// Throws std::bad_alloc.
  static Result<Made<std::unique_ptr<CclGroup>>> create(MPI_Comm comm, int rank, int size,
                                                        const gpu::Location& location);
  /// Local: breaks off, unless `close` has been called.
  ~CclGroup();
  CclGroup(const CclGroup&) = delete;
  CclGroup& operator=(const CclGroup&) = delete;

  /// Collective over `comm`, the communicator that it was created for. Nothing can be run any more.
  void close(MPI_Comm comm) noexcept;

  /// The same on all ranks, and no other group's.
  const gpu::CclId& id() const { return id_; }
  GpuDevice& device() const { return device_; }
  const gpu::Location& location() const { return device_.location(); }

  /// Collective, when all ranks have come: runs it and waits for its output. Returns an MPI error code.
  int run(const gpu::CclCollective& collective);

 private:
  CclGroup(GpuDevice& device, const gpu::CclId& id) : device_(device), id_(id) {}
  bool open(int rank, int size, std::string& why);
  int wait();
  int fail(const std::string& what);
  void break_off();

  GpuDevice& device_;
  gpu::CclId id_;
  HostMeeting meeting_;  ///< where ranks that are all on one host hear that another cannot take part
  bool meets_ = false;
  MpiProgress progress_;
  gpu::Queue* queue_ = nullptr;
  gpu::Ccl* ccl_ = nullptr;  ///< empty: not open, or broken off
};

}  // namespace airamp::pmpi
