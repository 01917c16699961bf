// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/runtime/error_text.hpp"

#include <cstdio>

namespace airamp::gpu::runtime {

void describe(Error& error, const char* attempted, const char* reason) noexcept {
  std::snprintf(error.text.data(), error.text.size(), "%s: %s", attempted, reason);
}

bool succeeded(platform::Status result, const char* attempted, Error& error) noexcept {
  if (result == platform::success) return true;
  platform::forget_error();
  describe(error, attempted, platform::text_of(result));
  return false;
}

}  // namespace airamp::gpu::runtime
