// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace airamp::traced {

/// What traced_threads does and check_threads expects.
inline constexpr int thread_count = 4;
inline constexpr int calls_of_a_thread = 500;

/// The message of every call of one thread.
constexpr int doubles_of(int thread) { return thread + 1; }

}  // namespace airamp::traced
