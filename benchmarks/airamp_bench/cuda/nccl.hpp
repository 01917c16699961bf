// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "benchmarks/airamp_bench/options.hpp"

namespace airamp::benchmark {

/// A collective as NCCL takes it: everything but its communicator and stream.
struct NcclCall {
  Collective collective;
  ElementType type;
  Operation operation;  ///< of reductions
  const void* send;
  void* receive;
  std::size_t count;            ///< elements that one rank contributes; reduce_scatter_block: of one rank's result;
                                ///< alltoall: of one block
  std::span<const int> counts;  ///< reduce_scatter: elements of each rank's result
};

/// Device memory of one rank's, registered as its part of a symmetric window. To be destroyed before its Nccl.
class NcclWindow {
 public:
  NcclWindow() = default;
  virtual ~NcclWindow() = default;
  NcclWindow(const NcclWindow&) = delete;
  NcclWindow& operator=(const NcclWindow&) = delete;

  virtual std::byte* data() const = 0;
};

/// NCCL on the current device of this process. Errors are std::runtime_error.
class Nccl {
 public:
  Nccl() = default;
  virtual ~Nccl() = default;
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  /// Runs one collective (root 0) and waits for it. Collective.
  virtual void run(const NcclCall& call) = 0;

  /// A symmetric window of so many bytes of every rank: calls whose buffers both are such windows may use other, faster
  /// kernels. nullptr on all ranks if NCCL is older than 2.27 or has no windows here. Collective.
  virtual std::unique_ptr<NcclWindow> open_window(std::size_t bytes) = 0;

  virtual std::string version() const = 0;
};

/// Opens the library. Not collective. NVLink multicast stays off unless NCCL_NVLS_ENABLE is set in the environment.
void load_nccl();

/// A communicator with the ranks of `communicator`, each on its current device; after load_nccl. Collective.
std::unique_ptr<Nccl> open_nccl(MPI_Comm communicator);

}  // namespace airamp::benchmark
