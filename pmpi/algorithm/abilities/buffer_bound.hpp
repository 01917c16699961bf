// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "pmpi/call/collective_data.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// The ability of an algorithm to bind itself to the buffers of a call, so that later calls with the same ones cost
/// less.
class BufferBound {
 public:
  BufferBound() = default;
  virtual ~BufferBound() = default;
  BufferBound(const BufferBound&) = delete;
  BufferBound& operator=(const BufferBound&) = delete;

  /// Whether it is bound to the buffers of this rank's call. Local.
  virtual bool recurs(const CollectiveData& data) const = 0;

  /// Collective: runs a call. `recurs`: agreed, whether the buffers of all ranks are those that it is bound to. False,
  /// on all ranks, if the call is still to be run.
  virtual Result<bool> execute_agreed(const CollectiveData& data, bool recurs) = 0;

  /// Why the algorithm is of no more use, on all ranks; empty if it is.
  virtual std::string_view why_given_up() const = 0;
};

}  // namespace airamp::pmpi
