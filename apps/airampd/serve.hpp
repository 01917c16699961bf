// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/airampd/options.hpp"
#include "apps/airampd/reading.hpp"

namespace airamp::sidecar {

/// Serves the jobs by HTTP until SIGTERM or SIGINT. Throws std::exception if it cannot.
void serve(const Options& options, ReadJobs read);

}  // namespace airamp::sidecar
