// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::gpu_tests {

/// A function of the CUDA driver, which makes no context. Ends the job with a message if there is none.
void* driver_function(const char* name);

/// Whether this process has the primary context of that GPU.
bool primary_context_active(int device);

}  // namespace airamp::gpu_tests
