// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "config/setting_table.hpp"

namespace airamp::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Loaded load_variables(std::map<std::string, std::string> variables) {
  return load(fixed_environment(std::move(variables)), "/nonexistent/airamp.conf");
}

TEST(EnvironmentVariables, SetEverySettingThatHasOne) {
  const std::map<std::string, std::string> variables = {{"AIRAMP_DISABLE", "yes"},
                                                        {"AIRAMP_ENABLE_FP8_ALLREDUCE", "1"},
                                                        {"AIRAMP_ENABLE_FP8_ALLGATHER", "on"},
                                                        {"AIRAMP_LOSSY_TYPES", "float32, bfloat16"},
                                                        {"AIRAMP_MIN_BYTES", "64K"},
                                                        {"AIRAMP_MIN_SPEEDUP", "1.5"},
                                                        {"AIRAMP_WARMUP_ITERATIONS", "7"},
                                                        {"AIRAMP_CODEC", "mxint8"},
                                                        {"AIRAMP_MAX_RELATIVE_ERROR", "1e-3"},
                                                        {"AIRAMP_HOST_SCRATCH", "2M"},
                                                        {"AIRAMP_GPU", "yes"},
                                                        {"AIRAMP_GPU_AWARE_MPI", "no"},
                                                        {"AIRAMP_ENABLE_SHARED_MEMORY", "false"},
                                                        {"AIRAMP_REDUCTION_ORDER", "any"},
                                                        {"AIRAMP_ENABLE_CCL", "true"},
                                                        {"AIRAMP_FORCE", "mpi-two-shot"},
                                                        {"AIRAMP_RANKS_PER_HOST", "4"},
                                                        {"AIRAMP_LOG_LEVEL", "debug"},
                                                        {"AIRAMP_REPORT", "run 1.json"},
                                                        {"AIRAMP_POLA", "off"},
                                                        {"AIRAMP_POLA_LOCK_EVENTS", "21"},
                                                        {"AIRAMP_POLA_ASK_ALONG", "0"},
                                                        {"AIRAMP_POLA_POST_RECEIVES", "yes"},
                                                        {"AIRAMP_CALL_SITES", "3"},
                                                        {"AIRAMP_ENABLE_GHOST_KERNELS", "on"},
                                                        {"AIRAMP_TRACE", "traces of run 1"},
                                                        {"AIRAMP_TELEMETRY", "false"},
                                                        {"AIRAMP_TELEMETRY_FOLDER", "/run/user 1"},
                                                        {"AIRAMP_METRICS_ADDR", "::1"},
                                                        {"AIRAMP_METRICS_PORT", "65535"},
                                                        {"AIRAMP_HANDSHAKE_WARNING_SECONDS", "0.5"}};
  const Loaded loaded = load_variables(variables);
  ASSERT_THAT(loaded.errors, IsEmpty());
  Settings expected;
  expected.disable = true;
  expected.enable_fp8_allreduce = true;
  expected.enable_fp8_allgather = true;
  expected.lossy_types = lossy_float32 | lossy_bfloat16;
  expected.min_bytes = 65536;
  expected.min_speedup = 1.5;
  expected.warmup_iterations = 7;
  expected.codec = WireFormat::mxint8;
  expected.max_relative_error = 0.001;
  expected.host_scratch = 2U << 20U;
  expected.gpu = Detection::yes;
  expected.gpu_aware_mpi = Detection::no;
  expected.enable_shared_memory = false;
  expected.reduction_order = ReductionOrder::any;
  expected.enable_ccl = true;
  expected.force = Force::mpi_two_shot;
  expected.ranks_per_host = 4;
  expected.log_level = LogLevel::debug;
  expected.report = "run 1.json";
  expected.pola = false;
  expected.pola_lock_events = 21;
  expected.pola_ask_along = false;
  expected.pola_post_receives = true;
  expected.enable_ghost_kernels = true;
  expected.call_sites = 3;
  expected.trace = "traces of run 1";
  expected.telemetry = false;
  expected.telemetry_folder = "/run/user 1";
  expected.metrics_addr = "::1";
  expected.metrics_port = 65535;
  expected.handshake_warning_seconds = 0.5;
  EXPECT_EQ(loaded.settings, expected);

  for (const Setting& setting : setting_table()) {
    if (setting.variable.empty()) continue;
    EXPECT_EQ(variables.count(setting.variable), 1U) << setting.variable << " is missing above";
    // A default would also be there if the variable were not read.
    EXPECT_NE(setting.write(expected), setting.write(Settings{})) << setting.variable;
  }
}

TEST(EnvironmentVariables, MistakesNameTheVariableAndWhatIsAllowed) {
  EXPECT_THAT(load_variables({{"AIRAMP_MIN_SPEEDUP", "fast"}, {"AIRAMP_DISABLE", ""}}).errors,
              ElementsAre("environment variable AIRAMP_DISABLE: '' is neither true nor false; "
                          "allowed: true or false (also 1/0, yes/no, on/off)",
                          "environment variable AIRAMP_MIN_SPEEDUP: 'fast' is not a number; "
                          "allowed: a number from 1 to 100"));
}

TEST(EnvironmentVariables, ReportMustBeTextThatAFileCanCarry) {
  const std::string wrong =
      " has control characters or is not UTF-8; "
      "allowed: stderr, or a file name that ends in .txt or .json; empty for no report";
  const std::string variable = "environment variable AIRAMP_REPORT: ";
  EXPECT_THAT(load_variables({{"AIRAMP_REPORT", "a\nb.txt"}}).errors, ElementsAre(variable + "'a?b.txt'" + wrong));
  EXPECT_THAT(load_variables({{"AIRAMP_REPORT", "\xff.txt"}}).errors, ElementsAre(variable + "'?.txt'" + wrong));
  EXPECT_THAT(load_variables({{"AIRAMP_REPORT", "\xc0\xaf.txt"}}).errors, ElementsAre(variable + "'??.txt'" + wrong));
  EXPECT_THAT(load_variables({{"AIRAMP_REPORT", "\xed\xa0\x80.txt"}}).errors,
              ElementsAre(variable + "'???.txt'" + wrong));
  EXPECT_THAT(load_variables({{"AIRAMP_REPORT", ""}}).errors, IsEmpty());
}

TEST(EnvironmentVariables, UnknownOnesAreMistakes) {
  EXPECT_THAT(
      load_variables({{"AIRAMP_MIN_BYTE", "1M"}, {"AIRAMP_disable", "1"}, {"AIRAMP_CONFIGURATION_OF_X", ""}}).errors,
      ElementsAre(testing::StartsWith("unknown environment variable 'AIRAMP_CONFIGURATION_OF_X'; allowed: "
                                      "AIRAMP_CONFIG, AIRAMP_DISABLE, "),
                  "unknown environment variable 'AIRAMP_MIN_BYTE'; did you mean 'AIRAMP_MIN_BYTES'?",
                  "unknown environment variable 'AIRAMP_disable'; did you mean 'AIRAMP_DISABLE'?"));
}

TEST(EnvironmentVariables, SettingsOfTheFileAloneHaveNone) {
  EXPECT_EQ(load_variables({{"AIRAMP_DECLARED_TYPES", "{my_half: float16}"}}).errors.size(), 1U);
}

TEST(EnvironmentVariables, OthersAndThoseOfTestsAreLeftAlone) {
  EXPECT_THAT(load_variables({{"AIRAMP_TEST_ANYTHING", "x"},
                              {"AIRAMP_HOME", "/opt/airamp"},
                              {"AIRAMP", "x"},
                              {"XAIRAMP_MIN_BYTE", "1"},
                              {"PATH", "/bin"}})
                  .errors,
              IsEmpty());
}

TEST(ProcessEnvironment, KnowsValuesAndNames) {
  ASSERT_EQ(setenv("AIRAMP_TEST_PROCESS_ENVIRONMENT", "a=b", 1), 0);
  const Environment environment = process_environment();
  EXPECT_EQ(environment.value("AIRAMP_TEST_PROCESS_ENVIRONMENT"), "a=b");
  EXPECT_THAT(environment.names(), Contains("AIRAMP_TEST_PROCESS_ENVIRONMENT").Times(1));
  ASSERT_EQ(unsetenv("AIRAMP_TEST_PROCESS_ENVIRONMENT"), 0);
  EXPECT_EQ(environment.value("AIRAMP_TEST_PROCESS_ENVIRONMENT"), std::nullopt);
}

TEST(CheckValue, ReadsAsTheEnvironmentDoes) {
  EXPECT_EQ(check_value("min_bytes", "64K"), "");
  EXPECT_EQ(check_value("lossy_types", "float16,float32"), "");
  EXPECT_EQ(check_value("min_bytes", "64X"),
            "'64X' is not a number of bytes; allowed: 0 to 1024G bytes; binary suffixes K, M and G");
  EXPECT_EQ(check_value("declared_types", "{}"), "can be set in a configuration file only");
}

}  // namespace
}  // namespace airamp::config
