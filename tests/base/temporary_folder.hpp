// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace airamp::base {

/// A folder of its own for one test, removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "airamp-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// The full name of a file in the folder.
  std::string name(const std::string& file) const { return (path_ / file).string(); }

  /// Writes a file, and the folders that it lies in; returns its full name.
  std::string write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream stream(path_ / file, std::ios::binary);
    stream << text;
    EXPECT_TRUE(stream.flush().good());
    return name(file);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace airamp::base
