// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "pmpi/call/collective_data.hpp"
#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// An agreed algorithm for one signature with everything that it needs already held: scratch, requests.
class Algorithm {
 public:
  Algorithm() = default;
  virtual ~Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;

  /// Collective. Returns an MPI error code.
  virtual int execute(const CollectiveData& data) = 0;

  /// Whether the algorithm is bound to the buffers of this rank's call. Local.
  virtual bool recurs(const CollectiveData& /*data*/) const { return false; }

  /// Collective: `execute`, for algorithms that bind themselves to buffers. `recurs`: agreed, whether the buffers of
  /// all ranks are those that it is bound to. If `done` is false, on all ranks, the call is still to be run. Returns an
  /// MPI error code.
  virtual int execute_agreed(const CollectiveData& data, bool /*recurs*/, bool& done) {
    done = true;
    return execute(data);
  }

  /// Whether the last `execute` could not begin on some rank, on all ranks: the call is still to be run.
  virtual bool called_off() const { return false; }

  /// Why the algorithm is of no more use, on all ranks; empty if it is.
  virtual std::string_view why_given_up() const { return {}; }

  /// Collective, before `execute` is measured: what is not to be measured. `ready`: agreed, whether all ranks could; if
  /// not, `execute` must not follow. Returns an MPI error code.
  virtual int prepare_trial(const CollectiveData& /*data*/, bool& ready) {
    ready = true;
    return MPI_SUCCESS;
  }

  /// After it was measured. Local.
  virtual void end_trial() {}

  /// Whether `execute_if_agreed` is there.
  virtual bool can_ask() const { return false; }

  /// Collective. Asks all ranks for their consent along with its first messages. If a rank does not consent, `agreed`
  /// is false on all of them, and nothing has happened to the data. Returns an MPI error code.
  virtual int execute_if_agreed(const CollectiveData& data, bool consent, bool& agreed) {
    agreed = consent;
    return execute(data);
  }

  /// Bytes that this rank sent in the last call, 0 where that is not known.
  virtual std::uint64_t sent_bytes() const { return 0; }

  /// Seconds that the last `execute_if_agreed` waited for the others' answers.
  virtual double waited_seconds() const { return 0; }

  /// Local, after a call: prepares for a next one of the same length, which may come or not. Returns an MPI error code.
  virtual int prepare_next() { return MPI_SUCCESS; }
};

}  // namespace airamp::pmpi
