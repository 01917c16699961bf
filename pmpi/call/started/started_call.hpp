// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/started/copied_start.hpp"
#include "pmpi/call/started/start_arguments.hpp"
#include "pmpi/device/started/scratch_vectors.hpp"
#include "pmpi/mpi/persistent_request.hpp"

namespace airamp::pmpi {

/// A call like those that a program starts, on numbers of AIRamp's own: started and waited for at once, so that it can
/// be agreed on and measured as blocking calls are. Within a call of the application's in which all ranks wait for all.
class StartedCall final : public CollectiveCall {
 public:
  /// `like`: of a reduction, `bytes` bytes of a type that AIRamp knows. `on_gpu`: where the numbers are to lie, if not
  /// on the host. Throws std::bad_alloc.
  StartedCall(const StartArguments& like, std::uint64_t bytes, int rank,
              std::unique_ptr<ScratchVectors> on_gpu = nullptr);

  /// Whether the numbers are where they are to be.
  bool is_ready() const { return ready_; }

  /// Collective, before the first call. Returns an MPI error code.
  int open();

  /// By what calls like it are told apart.
  LocalFacts key_facts() const;

  Kind kind() const override { return like_.kind; }
  Function function() const override;
  MPI_Comm communicator() const override { return like_.comm; }
  std::uint64_t bytes() const override { return bytes_; }
  std::uint64_t equal_arguments() const override;
  bool opted_in() const override { return false; }
  Buffers buffers() const override { return {input(), output()}; }
  LocalFacts facts(Wish wish) const override;
  int run_native() const override;
  CollectiveData data(const LocalFacts& facts) const override;

 private:
  void fill(int rank);
  const void* input() const { return on_gpu_ != nullptr ? on_gpu_->input() : static_cast<const void*>(input_.data()); }
  void* output() const { return on_gpu_ != nullptr ? on_gpu_->output() : static_cast<void*>(output_.data()); }
  int run_on(const void* input, void* output) const;

  StartArguments like_;
  std::uint64_t bytes_;
  std::unique_ptr<ScratchVectors> on_gpu_;
  bool ready_ = true;
  std::unique_ptr<CopiedStart> copied_;  ///< where the MPI library takes no GPU memory
  std::vector<std::max_align_t> input_;
  mutable std::vector<std::max_align_t> output_;
  mutable PersistentRequest persistent_;
};

/// An allreduce of the MPI library's own of a kind that is started, and the wait for it. Returns an MPI error code.
int reduce_started(Kind kind, const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

}  // namespace airamp::pmpi
