// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/airamp/doctor/probe_client.hpp"
#include "apps/airamp/doctor/subject.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::doctor {

/// The MPI library of the mpirun that PATH finds, which is asked for its version.
MpiInUse mpi_of_launcher(const ProbeClient& client);

/// That which a program is linked with, and whose mpirun PATH finds.
MpiInUse mpi_of_program(const ProbeClient& client, const std::string& program);

/// That of a running rank; `mapped` are the files that its process has mapped.
MpiInUse mpi_of_rank(const ProbeClient& client, const std::vector<std::string>& mapped,
                     const telemetry::RankSnapshot& rank);

}  // namespace airamp::doctor
