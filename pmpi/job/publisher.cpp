// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/publisher.hpp"

namespace airamp::pmpi {

constinit LastingWriter lasting_writer;

}  // namespace airamp::pmpi
