// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/publisher.hpp"

#include "base/asked_by_every_call.hpp"

namespace airamp::pmpi {

AIRAMP_ASKED_BY_EVERY_CALL constinit LastingWriter lasting_writer;

}  // namespace airamp::pmpi
