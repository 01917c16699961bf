// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "pmpi/state/communicator_state.hpp"
#include "telemetry/report.hpp"

namespace airamp::pmpi {

/// The figures of communicators that were freed, for the report: what is said of the same signatures with the same
/// decision is added up, so that a program may make and free as many as it likes. Not thread-safe.
class FreedCommunicators {
 public:
  /// Takes a state out of `live` that has given back its resources. Takes no memory but for what PoLA learnt of it, of
  /// the first communicators.
  void add(CommunicatorStates& live, CommunicatorStates::iterator place) noexcept;

  /// All figures but those of PoLA.
  const CommunicatorStates& states() const { return states_; }

  /// What PoLA learnt, by communicator.
  const std::vector<telemetry::Report::Pattern>& patterns() const { return patterns_; }

 private:
  void keep_pattern(const CommunicatorState& state) noexcept;

  CommunicatorStates states_;  // more than one where the same signature was decided on in different ways
  std::vector<telemetry::Report::Pattern> patterns_;
};

}  // namespace airamp::pmpi
