// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/arguments.hpp"
#include "gpu/device/completion.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Keeps the device awake by being launched; touches nothing but its own flag.
AIRAMP_KERNEL(32) ghost_kernel(AIRAMP_ARGUMENTS GhostArguments a) { complete(in_place(a).completion); }

}  // namespace airamp::gpu::device
