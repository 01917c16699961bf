// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace airamp::pola {

/// A path of its own, whose file is removed in the end.
class TemporaryTrace {
 public:
  TemporaryTrace() {
    static int count = 0;
    path_ = testing::TempDir() + "airamp-" + std::to_string(getpid()) + '-' + std::to_string(++count) + ".airtrace";
  }
  TemporaryTrace(const TemporaryTrace&) = delete;
  TemporaryTrace& operator=(const TemporaryTrace&) = delete;
  ~TemporaryTrace() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace airamp::pola
