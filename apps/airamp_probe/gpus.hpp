// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/airamp_probe/answers.hpp"

namespace airamp::probe {

/// Asks NVIDIA's management library for the GPUs of this host, and the CUDA driver whether it can be initialised, which
/// creates no context.
Gpus ask_gpus();

}  // namespace airamp::probe
