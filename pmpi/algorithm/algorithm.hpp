// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pmpi/call/collective_data.hpp"
#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

class BufferBound;
class PiggybackedAgreement;

/// An agreed algorithm for one signature with everything that it needs already held: scratch, requests.
class Algorithm {
 public:
  Algorithm() = default;
  virtual ~Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;

  /// Collective. Returns an MPI error code.
  virtual int execute(const CollectiveData& data) = 0;

  /// Whether the last `execute` could not begin on some rank, on all ranks: the call is still to be run.
  virtual bool called_off() const { return false; }

  /// Bytes that this rank sent in the last call, 0 where that is not known.
  virtual std::uint64_t sent_bytes() const { return 0; }

  /// Local, after a call: prepares for a next one of the same length, which may come or not. Returns an MPI error code.
  virtual int prepare_next() { return MPI_SUCCESS; }

  /// This object, if it can be bound to buffers; else nullptr.
  virtual BufferBound* buffer_bound() { return nullptr; }

  /// This object, if it can ask the ranks along with its data; else nullptr.
  virtual PiggybackedAgreement* piggybacked_agreement() { return nullptr; }
};

}  // namespace airamp::pmpi
