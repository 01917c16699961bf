// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/quiet_write.hpp"
#include "telemetry/report.hpp"

namespace airamp::telemetry {
namespace {

std::string write_file(const std::string& path, const std::string& text) {
  const base::WriteSignalsBlocked blocked;
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return "cannot open " + path + ": " + std::strerror(errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  return written && closed ? "" : "cannot write " + path + ": " + std::strerror(errno);
}

}  // namespace

std::string write_report(const Report& report, const std::string& destination) noexcept {
  try {
    if (destination == "stderr") {
      const std::string text = to_text(report);
      return base::quiet_write(STDERR_FILENO, text.data(), text.size()) >= 0 ? "" : "cannot write to stderr";
    }
    return write_file(destination, destination.ends_with(".json") ? to_json(report) : to_text(report));
  } catch (const std::exception& error) {
    try {
      return error.what();
    } catch (...) {
      return "?";  // short enough to need no allocation
    }
  }
}

}  // namespace airamp::telemetry
