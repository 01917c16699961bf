// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/airamp_probe/answers.hpp"

namespace airamp::probe {

/// Measures copies from each NVIDIA GPU to each other one that it can reach, and to and from pinned memory of the host,
/// one after the other. Creates a context on every GPU, and takes 64 MiB of each; one that has less free is left out.
/// The GPUs are numbered as the management library numbers them: pass their PCI addresses in that order.
GpuCopies measure_gpu_copies(const std::vector<std::string>& addresses);

}  // namespace airamp::probe
