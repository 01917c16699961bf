// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/configuration_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/base/temporary_folder.hpp"

namespace airamp::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> errors_of(const std::string& name) {
  return load(fixed_environment({{"AIRAMP_CONFIG", name}}), "").errors;
}

TEST(ConfigurationFile, NamedFileMustExist) {
  const base::TemporaryFolder folder;
  const std::string name = folder.name("missing.conf");
  EXPECT_THAT(errors_of(name),
              ElementsAre(name + ": the file that AIRAMP_CONFIG names cannot be read: No such file or directory"));
}

TEST(ConfigurationFile, NameMustNotBeEmpty) {
  EXPECT_THAT(errors_of(""), ElementsAre("environment variable AIRAMP_CONFIG: is empty; allowed: the name of a "
                                         "configuration file"));
}

TEST(ConfigurationFile, FoldersAndPipesAreRefusedAtOnce) {
  const base::TemporaryFolder folder;
  const std::string pipe = folder.name("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(errors_of(pipe), ElementsAre(pipe + ": the file that AIRAMP_CONFIG names is not a regular file"));
  EXPECT_THAT(errors_of(folder.name("")),
              ElementsAre(folder.name("") + ": the file that AIRAMP_CONFIG names is not a regular file"));
}

TEST(ConfigurationFile, UnreadableFileIsAMistake) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const base::TemporaryFolder folder;
  const std::string name = folder.write(".config/airamp/airamp.conf", "disable: no\n");
  ASSERT_EQ(chmod(name.c_str(), 0), 0);
  EXPECT_THAT(load(fixed_environment({{"HOME", folder.name(".")}}), "").errors,
              ElementsAre(testing::EndsWith(": the configuration file cannot be read: Permission denied")));
}

TEST(ConfigurationFile, AtMostOneMebibyte) {
  const base::TemporaryFolder folder;
  const std::string fits = folder.write("fits.conf", "disable: yes\n" + std::string((1U << 20U) - 13, '#'));
  EXPECT_THAT(errors_of(fits), IsEmpty());
  const std::string large = folder.write("large.conf", "disable: yes\n" + std::string((1U << 20U) - 12, '#'));
  EXPECT_THAT(errors_of(large),
              ElementsAre(large + ": the file that AIRAMP_CONFIG names is too large; at most 1 MiB is allowed"));
  EXPECT_EQ(errors_of("/dev/zero").size(), 1U);
}

TEST(ConfigurationFile, DevNullMeansNoFile) {
  const Loaded loaded = load(fixed_environment({{"AIRAMP_CONFIG", "/dev/null"}}), "");
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_EQ(loaded.settings, Settings{});
}

}  // namespace
}  // namespace airamp::config
