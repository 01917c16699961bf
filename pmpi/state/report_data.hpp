// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "pmpi/mpi/functions.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/rank_costs.hpp"
#include "telemetry/report.hpp"

namespace airamp::pmpi {

/// This rank's figures of the whole run with what all ranks have told, and what they say. Only from MPI_Finalize. May
/// throw std::bad_alloc.
telemetry::Report make_report(const RankCosts& costs);

/// One line of it: what is known of a signature on a communicator of that name. May throw std::bad_alloc.
telemetry::Report::Signature describe(const std::string& communicator, const SignatureKey& key,
                                      const SignatureState& signature);

/// What PoLA has learnt of a communicator of that name. May throw std::bad_alloc.
telemetry::Report::Pattern describe_pattern(const std::string& communicator, const CommunicatorState& state);

/// The function whose calls are of a kind, by its plain name.
Function function_of(Kind kind);

}  // namespace airamp::pmpi
