// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gpu/backend.hpp"

namespace airamp::gpu {

/// Loads the plugin at `path` for the rest of the process and returns its table; nullptr, and why in `error`, if there
/// is none or if it is not the plugin called `name` of our version. What has been refused is unloaded again.
const Backend* open_backend(const std::string& path, std::string_view name, Error& error);

}  // namespace airamp::gpu
