// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

/// As the kernel aligns them.
std::string limits(const std::string& locked, const std::string& files, const std::string& addresses) {
  return "Limit                     Soft Limit           Hard Limit           Units     \n"
         "Max open files            " +
         files +
         "                 524288               files     \n"
         "Max locked memory         " +
         locked +
         "              unlimited            bytes     \n"
         "Max address space         " +
         addresses + "            unlimited            bytes     \n";
}

TEST(LimitsCheckTest, Unlimited) {
  MadeUpHost host;
  host.write("/proc/self/limits", limits("unlimited", "unlimited", "unlimited"));
  for (const auto check : {check_locked_memory, check_open_files, check_address_space}) {
    expect_one(check(host.subject), Verdict::good, "unlimited");
  }
}

TEST(LimitsCheckTest, NotKnown) {
  MadeUpHost host;
  for (const auto check : {check_locked_memory, check_open_files, check_address_space}) {
    expect_one(check(host.subject), Verdict::not_known, "/proc");
  }
}

TEST(LimitsCheckTest, LockedMemoryMattersToRdma) {
  MadeUpHost host;
  host.write("/proc/self/limits", limits("65536", "1024", "unlimited"));
  expect_one(check_locked_memory(host.subject), Verdict::good, "64 KiB");
  host.make_folder("/sys/class/infiniband/mlx5_0");
  expect_one(check_locked_memory(host.subject), Verdict::wrong, "64 KiB");
}

TEST(LimitsCheckTest, ManyRanksNeedManyFiles) {
  MadeUpHost host;
  host.write("/proc/self/limits", limits("65536", "1024", "unlimited"));
  host.subject.ranks.number = 128;  // 512 + 4 * 128
  expect_one(check_open_files(host.subject), Verdict::good, "1024");
  host.subject.ranks.number = 129;
  expect_one(check_open_files(host.subject), Verdict::worth_knowing, "1024");
}

TEST(LimitsCheckTest, AddressesAreNotMemory) {
  MadeUpHost host;
  host.write("/proc/self/limits", limits("65536", "1024", "8589934592"));
  expect_one(check_address_space(host.subject), Verdict::worth_knowing, "8 GiB");
  host.subject.gpus.gpus.emplace_back();
  expect_one(check_address_space(host.subject), Verdict::wrong, "8 GiB");
}

TEST(LimitsCheckTest, ThoseOfTheRank) {
  MadeUpHost host;
  host.write("/proc/17/limits", limits("unlimited", "64", "unlimited"));
  host.subject.process = "17";
  expect_one(check_open_files(host.subject), Verdict::worth_knowing, "64");
}

}  // namespace
}  // namespace airamp::doctor
