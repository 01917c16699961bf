// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

Findings of(const std::map<std::string, std::string>& variables) {
  MadeUpHost host;
  host.set_environment(variables);
  return check_settings(host.subject);
}

TEST(SettingsCheckTest, DefaultsAreInOrder) { expect_one(of({}), Verdict::good, "are in order"); }

TEST(SettingsCheckTest, EveryMistakeIsAFinding) {
  const Findings findings = of({{"AIRAMP_FORCES", "native"}, {"AIRAMP_MIN_SPEEDUP", "0"}});
  ASSERT_EQ(findings.size(), 2U);
  for (const Finding& finding : findings) EXPECT_EQ(finding.verdict, Verdict::wrong);
}

TEST(SettingsCheckTest, MistakesInTheFileOfTheSystem) {
  MadeUpHost host;
  host.write("/etc/airamp.conf", "min_byte: 1M\n");
  expect_one(check_settings(host.subject), Verdict::wrong, "airamp.conf:1: unknown key 'min_byte'");
}

TEST(SettingsCheckTest, Contradictions) {
  using Variables = std::map<std::string, std::string>;
  for (const auto& [variables, words] : std::map<Variables, std::string>{
           {{{"AIRAMP_ENABLE_GHOST_KERNELS", "1"}, {"AIRAMP_POLA", "0"}}, "enable_ghost_kernels has no effect"},
           {{{"AIRAMP_ENABLE_GHOST_KERNELS", "1"}, {"AIRAMP_GPU", "no"}}, "enable_ghost_kernels has no effect"},
           {{{"AIRAMP_ENABLE_CCL", "1"}, {"AIRAMP_GPU", "no"}}, "enable_ccl has no effect"},
           {{{"AIRAMP_ENABLE_FP8_ALLREDUCE", "1"},
             {"AIRAMP_LOSSY_TYPES", "float32"},
             {"AIRAMP_REDUCTION_ORDER", "exact"}},
            "reduction_order"}}) {
    expect_one(of(variables), Verdict::wrong, words);
  }
}

TEST(SettingsCheckTest, CompressedHalvesDoNotContradictTheOrderOfFloats) {
  expect_one(of({{"AIRAMP_ENABLE_FP8_ALLREDUCE", "1"}, {"AIRAMP_REDUCTION_ORDER", "exact"}}), Verdict::good, "");
}

TEST(SettingsCheckTest, SwitchedOffAndOnAtOnce) {
  const Findings findings = of({{"AIRAMP_DISABLE", "1"}, {"AIRAMP_ENABLE_FP8_ALLREDUCE", "1"}});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].verdict, Verdict::wrong);
  EXPECT_EQ(findings[1].verdict, Verdict::worth_knowing);
}

TEST(SettingsCheckTest, WhatIsForTests) {
  expect_one(of({{"AIRAMP_FORCE", "shared-memory"}}), Verdict::worth_knowing, "force=shared-memory");
  expect_one(of({{"AIRAMP_RANKS_PER_HOST", "2"}}), Verdict::worth_knowing, "ranks_per_host");
  expect_one(of({{"AIRAMP_TELEMETRY", "0"}}), Verdict::worth_knowing, "telemetry is off");
}

TEST(SettingsCheckTest, GivenWithoutEffect) {
  expect_one(of({{"AIRAMP_CODEC", "mxint8"}}), Verdict::worth_knowing, "codec is given");
  expect_one(of({{"AIRAMP_CODEC", "mxint8"}, {"AIRAMP_ENABLE_FP8_ALLGATHER", "1"}}), Verdict::good, "");
}

TEST(SettingsCheckTest, FoldersThatAreMissingOrClosed) {
  expect_one(of({{"AIRAMP_REPORT", "/nowhere/run.json"}}), Verdict::wrong, "there is no folder /nowhere");
  MadeUpHost host;
  host.make_folder("/var/closed");
  host.set_environment({{"AIRAMP_TELEMETRY_FOLDER", "/var/closed"}});
  host.subject.system.writable = [](const std::string& folder) { return folder != "/var/closed"; };
  expect_one(check_settings(host.subject), Verdict::wrong, "nothing can be written into /var/closed");
}

}  // namespace
}  // namespace airamp::doctor
