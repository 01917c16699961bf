// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

TEST(PreloadCheckTest, NotSet) {
  MadeUpHost host;
  expect_one(check_preload(host.subject), Verdict::good, "not set");
}

TEST(PreloadCheckTest, ExportedAirampIsWrong) {
  MadeUpHost host;
  host.write("/opt/libairamp.so.0", "");
  host.set_environment({{"LD_PRELOAD", "/opt/libairamp.so.0"}});
  expect_one(check_preload(host.subject), Verdict::wrong, "/opt/libairamp.so.0");
}

TEST(PreloadCheckTest, ARanksOwnIsInOrder) {
  MadeUpHost host;
  host.write("/opt/libairamp.so", "");
  host.set_environment({{"LD_PRELOAD", "/opt/libairamp.so"}, {"PMI_RANK", "3"}});
  expect_one(check_preload(host.subject), Verdict::good, "for the ranks alone");
  host.set_environment({{"LD_PRELOAD", "/opt/libairamp.so"}});
  host.subject.job = {rank_of_process(0, 17)};
  expect_one(check_preload(host.subject), Verdict::good, "for the ranks alone");
}

TEST(PreloadCheckTest, EachEntryIsLookedAt) {
  MadeUpHost host;
  host.set_environment({{"LD_PRELOAD", "libprofiler.so /gone/libother.so"}});
  const Findings findings = check_preload(host.subject);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].verdict, Verdict::worth_knowing);
  EXPECT_EQ(findings[1].verdict, Verdict::wrong);
  EXPECT_NE(findings[1].found.find("/gone/libother.so"), std::string::npos);
}

}  // namespace
}  // namespace airamp::doctor
