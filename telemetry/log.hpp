// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "config/settings.hpp"

namespace airamp::telemetry {

/// Sets what `log` writes from now on. Thread-safe.
void set_log_level(config::LogLevel level) noexcept;

/// Puts "[rank N] " before the messages from now on. Thread-safe.
void set_log_rank(int rank) noexcept;

/// Writes "airamp: [rank N] LEVEL: message\n" to stderr in one system call, if `level` is wanted. Never throws, never
/// touches stdout. Thread-safe.
void log(config::LogLevel level, std::string_view message) noexcept;

}  // namespace airamp::telemetry
