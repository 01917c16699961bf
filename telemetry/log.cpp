// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/log.hpp"

#include <unistd.h>

#include <atomic>
#include <string>

#include "base/quiet_write.hpp"
#include "config/load.hpp"

namespace airamp::telemetry {
namespace {

std::atomic<config::LogLevel> wanted_level{config::LogLevel::warn};
std::atomic<int> own_rank{-1};

}  // namespace

void set_log_level(config::LogLevel level) noexcept { wanted_level.store(level, std::memory_order_relaxed); }

void set_log_rank(int rank) noexcept { own_rank.store(rank, std::memory_order_relaxed); }

void log(config::LogLevel level, std::string_view message) noexcept {
  if (level > wanted_level.load(std::memory_order_relaxed)) return;
  try {
    const int rank = own_rank.load(std::memory_order_relaxed);
    std::string line = "airamp: ";
    if (rank >= 0) line += "[rank " + std::to_string(rank) + "] ";
    line.append(config::to_string(level)).append(": ").append(message).append("\n");
    const ssize_t written = base::quiet_write(STDERR_FILENO, line.data(), line.size());
    static_cast<void>(written);  // there is nowhere else to complain
  } catch (...) {                // out of memory: a message is not worth the application's life
  }
}

}  // namespace airamp::telemetry
