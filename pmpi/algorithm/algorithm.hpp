// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/reason.hpp"
#include "pmpi/call/collective_data.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

class BufferBound;
class PiggybackedAgreement;
class PostedExchange;
class StagedExchange;
class StartedExchange;

/// An agreed algorithm for one signature with everything that it needs already held: scratch, requests.
class Algorithm {
 public:
  Algorithm() = default;
  virtual ~Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;

  /// Collective. Returns an MPI error code.
  virtual int execute(const CollectiveData& data) = 0;

  /// Why the last `execute` did not begin, on all ranks: the call is still to be run; `none` if it was.
  virtual Reason why_called_off() const { return Reason::none; }

  /// Whether its results are those of the MPI library to the last bit, which every measured call then checks.
  virtual bool promises_native_bits() const { return false; }

  /// Whether it is exact but rounds otherwise than the MPI library, on host buffers: a measured call then takes note of
  /// how far its results are from native ones.
  virtual bool adds_in_own_order() const { return false; }

  /// Collective, before `execute` is measured: what is not to be measured. Whether all ranks could, as they agreed; if
  /// not, `execute` must not follow.
  virtual Result<bool> prepare_trial(const CollectiveData& /*data*/) { return true; }

  /// After it was measured. Local.
  virtual void end_trial() {}

  /// Whether its first runs are slower than later ones, since they write to memory that is new. The same on all ranks.
  virtual bool warms_up() const { return false; }

  /// Bytes that this rank sent in the last call, 0 where that is not known.
  virtual std::uint64_t sent_bytes() const { return 0; }

  /// Local, after a call: prepares for a next one of the same length, which may come or not. Returns an MPI error code.
  virtual int prepare_next() { return MPI_SUCCESS; }

  /// Whether its calls go without an agreement of their own, once it is chosen (decide/unsynchronized): a broadcast's
  /// root says to the others what is done; of what has a posted_exchange all know.
  virtual bool goes_unasked() const { return false; }

  /// This object, if it can carry calls without an agreement; else nullptr.
  virtual PostedExchange* posted_exchange() { return nullptr; }

  /// This object, if it can be bound to buffers; else nullptr.
  virtual BufferBound* buffer_bound() { return nullptr; }

  /// This object, if it can ask the ranks along with its data; else nullptr.
  virtual PiggybackedAgreement* piggybacked_agreement() { return nullptr; }

  /// This object, if an agreement of the ranks can be its exchange; else nullptr.
  virtual StagedExchange* staged_exchange() { return nullptr; }

  /// This object, if its calls are started by one function and completed by another; else nullptr.
  virtual StartedExchange* started_exchange() { return nullptr; }
};

}  // namespace airamp::pmpi
