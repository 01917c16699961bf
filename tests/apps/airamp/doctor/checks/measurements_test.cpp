// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

TEST(MeasurementsTest, NothingUnlessMeasured) {
  MadeUpHost host;
  for (const auto check : {check_memory_bandwidth, check_flag_latency, check_gpu_copies}) {
    EXPECT_TRUE(check(host.subject).empty());
  }
}

TEST(MemoryBandwidthCheckTest, AgainstTheModules) {
  MadeUpHost host;
  host.subject.measurements.emplace();
  host.subject.measurements->memory = {.processors = 8, .all_processors = 12e9, .one_processor = 6e9};
  expect_one(check_memory_bandwidth(host.subject), Verdict::not_known, "12.0 GB/s copied by 8 processors");
  // One module of 38.4 GB/s: an SMBIOS structure of type 17, 64 bits wide, of 4800 MT/s. Its text is empty.
  std::string table(0x28, '\0');
  table.replace(0, 2, "\x11\x28");
  table[0x0a] = 64;
  table[0x0c] = 1;
  table.replace(0x20, 2, "\xc0\x12");
  host.write("/sys/firmware/dmi/tables/DMI", table + std::string(2, '\0'));
  expect_one(check_memory_bandwidth(host.subject), Verdict::good, "0.62 of what the modules can move");  // 24 / 38.4
  host.subject.measurements->memory.all_processors = 6e9;
  expect_one(check_memory_bandwidth(host.subject), Verdict::worth_knowing, "0.31");
  host.subject.measurements->memory.all_processors = 5e9;
  expect_one(check_memory_bandwidth(host.subject), Verdict::worth_knowing, "all together are slower");
}

TEST(FlagLatencyCheckTest, WithinAndBetweenNodes) {
  MadeUpHost host;
  host.write("/sys/devices/system/node/node1/cpulist", "2-3\n");
  host.subject.measurements.emplace();
  host.subject.measurements->flags.pairs = {{0, 1, 50e-9}, {2, 3, 60e-9}, {1, 2, 300e-9}};
  expect_one(check_flag_latency(host.subject), Verdict::good,
             "50.0 ns to 60.0 ns within a NUMA node, 300 ns between them");
  host.subject.measurements->flags.pairs[1].seconds = 3e-6;
  expect_one(check_flag_latency(host.subject), Verdict::worth_knowing, "3.00 us");
  host.subject.measurements->flags = {.trouble = "there is one processor alone"};
  expect_one(check_flag_latency(host.subject), Verdict::not_known, "one processor");
}

TEST(GpuCopiesCheckTest, AgainstTheLinks) {
  MadeUpHost host;
  host.subject.gpus.gpus = {{.pcie_bytes_per_second = 63e9, .nvlink_bytes_per_second = 450e9},
                            {.pcie_bytes_per_second = 63e9, .nvlink_bytes_per_second = 450e9}};
  host.subject.measurements.emplace();
  host.subject.measurements->gpu_copies.copies = {{0, 1, 360e9}, {1, 0, 400e9}, {0, -1, 55e9}, {-1, 1, 21e9}};
  const Findings findings = check_gpu_copies(host.subject);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].verdict, Verdict::good);
  EXPECT_NE(findings[0].found.find("360.0 GB/s (GPU 0 to GPU 1) to 400.0 GB/s; the slowest is 0.80"),
            std::string::npos);
  EXPECT_EQ(findings[1].verdict, Verdict::worth_knowing);
  EXPECT_NE(findings[1].found.find("21.0 GB/s (host to GPU 1) to 55.0 GB/s; the slowest is 0.33"), std::string::npos);
}

TEST(GpuCopiesCheckTest, UnknownLinks) {
  MadeUpHost host;
  host.subject.gpus.gpus.resize(1);
  host.subject.measurements.emplace();
  host.subject.measurements->gpu_copies.copies = {{0, -1, 20e9}};
  expect_one(check_gpu_copies(host.subject), Verdict::not_known, "20.0 GB/s");
}

}  // namespace
}  // namespace airamp::doctor
