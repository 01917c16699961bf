// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "config/load.hpp"
#include "tests/base/temporary_folder.hpp"

namespace airamp::config {
namespace {

using testing::StartsWith;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Precedence, NothingIsThereButDefaults) {
  const Loaded loaded = load(fixed_environment({{"HOME", "/nonexistent"}}), "/nonexistent/airamp.conf");
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_EQ(loaded.settings, Settings{});
  EXPECT_EQ(loaded.file, "");
  ASSERT_EQ(loaded.origins.size(), setting_infos().size());
  for (const SettingInfo& info : setting_infos()) EXPECT_EQ(loaded.origins.at(info.key), "default") << info.key;
}

TEST(Precedence, NamedFileThenHomeThenSystem) {
  const base::TemporaryFolder folder;
  const std::string named = folder.write("named.conf", "warmup_iterations: 11\n");
  const std::string home = folder.write("home/.config/airamp/airamp.conf", "warmup_iterations: 12\n");
  const std::string system = folder.write("etc/airamp.conf", "\nwarmup_iterations: 13\nmin_bytes: 1K\n");

  Loaded loaded = load(fixed_environment({{"AIRAMP_CONFIG", named}, {"HOME", folder.name("home")}}), system);
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_EQ(loaded.settings.warmup_iterations, 11);
  EXPECT_EQ(loaded.file, named);

  loaded = load(fixed_environment({{"HOME", folder.name("home")}}), system);
  EXPECT_EQ(loaded.settings.warmup_iterations, 12);
  EXPECT_EQ(loaded.settings.min_bytes, Settings{}.min_bytes) << "files are not mixed";
  EXPECT_EQ(loaded.file, home);

  loaded = load(fixed_environment({{"HOME", folder.name("etc")}}), system);
  EXPECT_EQ(loaded.settings.warmup_iterations, 13);
  EXPECT_EQ(loaded.file, system);
  EXPECT_EQ(loaded.origins.at("warmup_iterations"), system + ":2");

  loaded = load(fixed_environment({}), system);
  EXPECT_EQ(loaded.settings.warmup_iterations, 13);
}

TEST(Precedence, EnvironmentOverFileOverDefault) {
  const base::TemporaryFolder folder;
  const std::string file = folder.write("a.conf", "# comment\nmin_bytes: 2M\nwarmup_iterations: 5\n");
  const Loaded loaded = load(fixed_environment({{"AIRAMP_CONFIG", file}, {"AIRAMP_MIN_BYTES", "4M"}}), "");
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_EQ(loaded.settings.min_bytes, 4U << 20U);
  EXPECT_EQ(loaded.settings.warmup_iterations, 5);
  EXPECT_EQ(loaded.settings.min_speedup, 1.05);
  EXPECT_EQ(loaded.origins.at("min_bytes"), "environment variable AIRAMP_MIN_BYTES");
  EXPECT_EQ(loaded.origins.at("warmup_iterations"), file + ":3");
  EXPECT_EQ(loaded.origins.at("min_speedup"), "default");
}

TEST(Precedence, MistakesOfFileAndEnvironmentAreAllReported) {
  const base::TemporaryFolder folder;
  const std::string file = folder.write("a.conf", "min_bytes: x\ncodecs: mxint8\n");
  const Loaded loaded =
      load(fixed_environment({{"AIRAMP_CONFIG", file}, {"AIRAMP_FORCE", "x"}, {"AIRAMP_FORCES", "x"}}), "");
  EXPECT_THAT(
      loaded.errors,
      ElementsAre(
          file + ":1: min_bytes: 'x' is not a number of bytes; allowed: 0 to 1024G bytes; "
                 "binary suffixes K, M and G",
          file + ":2: unknown key 'codecs'; did you mean 'codec'?",
          StartsWith("environment variable AIRAMP_FORCE: 'x' is not known; allowed: none, native, mpi-two-shot, "),
          "unknown environment variable 'AIRAMP_FORCES'; did you mean 'AIRAMP_FORCE'?"));
}

TEST(Precedence, ParsedTextHasItsNameInTheOrigins) {
  const Loaded loaded = parse_text("disable: yes\n\ncodec: mxint8\n", "rank 0");
  EXPECT_EQ(loaded.origins.at("disable"), "rank 0:1");
  EXPECT_EQ(loaded.origins.at("codec"), "rank 0:3");
  EXPECT_EQ(loaded.origins.at("force"), "default");
  EXPECT_EQ(loaded.file, "rank 0");
}

}  // namespace
}  // namespace airamp::config
