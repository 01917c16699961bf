// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/job.hpp"

#include "base/asked_by_every_call.hpp"

namespace airamp::pmpi {

AIRAMP_ASKED_BY_EVERY_CALL constinit ProcessWide<Job> process_job;

}  // namespace airamp::pmpi
