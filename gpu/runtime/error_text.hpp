// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/backend.hpp"
#include "gpu/runtime/platform.hpp"

namespace airamp::gpu::runtime {

/// Writes "ATTEMPTED: REASON" to `error`.
void describe(Error& error, const char* attempted, const char* reason) noexcept;

/// Whether `result` is success; if not, says in `error` what was attempted and why it failed.
bool succeeded(platform::Status result, const char* attempted, Error& error) noexcept;

}  // namespace airamp::gpu::runtime
