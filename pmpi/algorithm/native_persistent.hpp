// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/algorithm/abilities/buffer_binding.hpp"
#include "pmpi/algorithm/abilities/buffer_bound.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/mpi/persistent_request.hpp"
#include "pmpi/types/half_operation.hpp"

namespace airamp::pmpi {

/// Whether the MPI library gives back the memory of a persistent collective with its request. Open MPI does not: 4.1.4
/// and 5.0.11 lose up to the size of the message with every freed MPI_Allreduce_init, on three and four ranks.
#ifdef OPEN_MPI
inline constexpr bool library_frees_persistent_collectives = false;
#else
inline constexpr bool library_frees_persistent_collectives = true;
#endif

/// The MPI library's own persistent allreduce, of host buffers: its plan and its scratch stay from call to call. The
/// request is bound to the application's buffers; it runs only in calls in which all ranks have agreed that theirs are
/// those. It holds no datatype or operation of the application's. While it is not running it does not touch the
/// buffers, so that they may be freed.
///
/// The order of the sums, and so their rounding, is the MPI library's.
class NativePersistent final : public Algorithm, public BufferBound {
 public:
  /// For float16, bfloat16 and float32. `comm`: the private communicator.
  NativePersistent(MPI_Comm comm, DataType type, ReduceOp op);

  /// Whether the operation could be created.
  bool ready() const { return op_ != MPI_OP_NULL; }

  /// Of a trial that was prepared.
  int execute(const CollectiveData& data) override;

  BufferBound* buffer_bound() override { return this; }
  bool recurs(const CollectiveData& data) const override;
  Result<bool> execute_agreed(const CollectiveData& data, bool recurs) override;
  std::string_view why_given_up() const override { return why_given_up_; }
  Result<bool> prepare_trial(const CollectiveData& data) override;
  void end_trial() override { trial_.free(); }

 private:
  /// Whether all ranks could make it.
  Result<bool> make(PersistentRequest& request, const CollectiveData& data);
  Result<bool> bind_and_run(const CollectiveData& data);

  MPI_Comm comm_;
  std::size_t element_size_;
  HalfOperation half_operation_;  // before the requests: they go first
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
  PersistentRequest request_;
  PersistentRequest trial_;
  BufferBinding binding_;
  CollectiveData bound_;  ///< what `request_` is bound to
  std::string_view why_given_up_;
};

}  // namespace airamp::pmpi
