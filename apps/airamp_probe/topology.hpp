// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp_probe/answers.hpp"

namespace airamp::probe {

/// Which processors, NUMA nodes and network cards are nearest to each GPU, by hwloc, which is opened at run time. Of
/// this host, or of one that `lstopo` has described in the XML file `description`.
Topology ask_topology(const std::string& description = {});

}  // namespace airamp::probe
