// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

using probe::ComputeMode;

/// A host on which all is well with so many GPUs.
void add_gpus(MadeUpHost& host, int number) {
  host.write("/dev/nvidiactl", "");
  host.subject.gpus.driver = "570.1";
  host.subject.gpus.memory_handles = true;
  host.subject.airamp = {.path = "/opt/libairamp.so", .cuda_plugin = true};
  for (int i = 0; i < number; ++i) {
    const std::string address = "0000:0" + std::to_string(i) + ":00.0";
    host.add_pci_device(address, "0x030200", "0x10de");
    host.subject.gpus.gpus.push_back({.name = "NVIDIA H100", .address = address});
  }
}

TEST(GpusCheckTest, None) {
  MadeUpHost host;
  host.subject.gpus.trouble = "libnvidia-ml.so.1: cannot open shared object file";
  expect_one(check_gpus(host.subject), Verdict::good, "none");
  EXPECT_TRUE(check_peer_access(host.subject).empty());
  EXPECT_TRUE(check_gpu_sharing(host.subject).empty());
}

TEST(GpusCheckTest, AllWell) {
  MadeUpHost host;
  add_gpus(host, 2);
  expect_one(check_gpus(host.subject), Verdict::good, "2 NVIDIA H100, driver 570.1");
  expect_one(check_peer_access(host.subject), Verdict::good, "every GPU reaches every other");
}

TEST(GpusCheckTest, WhatHidesThem) {
  MadeUpHost on_the_bus;
  on_the_bus.add_pci_device("0000:17:00.0", "0x030200", "0x10de");
  expect_one(check_gpus(on_the_bus.subject), Verdict::wrong, "no /dev/nvidiactl");
  MadeUpHost without_library;
  without_library.write("/dev/nvidiactl", "");
  without_library.subject.gpus.trouble = "libnvidia-ml.so.1: cannot open";
  expect_one(check_gpus(without_library.subject), Verdict::wrong, "libnvidia-ml.so.1");
  MadeUpHost without_gpu;
  without_gpu.write("/dev/nvidiactl", "");
  expect_one(check_gpus(without_gpu.subject), Verdict::wrong, "no GPU");
}

TEST(GpusCheckTest, CudaOrThePluginIsMissing) {
  MadeUpHost host;
  add_gpus(host, 1);
  host.subject.airamp.cuda_plugin = false;
  expect_one(check_gpus(host.subject), Verdict::wrong, "libairamp-cuda.so");
  host.subject.gpus.cuda_trouble = "system not yet initialized (802)";
  expect_one(check_gpus(host.subject), Verdict::wrong, "(802)");
}

TEST(GpusCheckTest, ModesOfGpus) {
  MadeUpHost host;
  add_gpus(host, 2);
  host.subject.gpus.gpus[0].compute_mode = static_cast<int>(ComputeMode::prohibited);
  host.subject.gpus.gpus[1].partitioned = true;
  const Findings findings = check_gpus(host.subject);
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[1].verdict, Verdict::wrong);
  EXPECT_EQ(findings[2].verdict, Verdict::worth_knowing);
}

TEST(GpusCheckTest, AmdsAreNamed) {
  MadeUpHost host;
  host.add_pci_device("0000:c1:00.0", "0x120000", "0x1002");
  expect_one(check_gpus(host.subject), Verdict::worth_knowing, "no /dev/kfd");
  host.write("/dev/kfd", "");
  expect_one(check_gpus(host.subject), Verdict::not_known, "1 AMD GPU");
}

TEST(PeerAccessCheckTest, WaysThatAreMissing) {
  MadeUpHost host;
  add_gpus(host, 3);
  host.subject.gpus.unreachable = {{0, 2, "the chipset does not support it"},
                                   {2, 0, "the chipset does not support it"}};
  expect_one(check_peer_access(host.subject), Verdict::worth_knowing, "2 of 6 ways between GPUs have none");
  host.subject.gpus.memory_handles = false;
  expect_one(check_peer_access(host.subject), Verdict::wrong, "cannot be mapped");
}

TEST(GpuSharingCheckTest, ByRanksModeAndMps) {
  MadeUpHost host;
  add_gpus(host, 2);
  expect_one(check_gpu_sharing(host.subject), Verdict::not_known, "2 GPUs");
  host.subject.ranks = {.number = 2, .known = true};
  expect_one(check_gpu_sharing(host.subject), Verdict::good, "2 ranks on 2 GPUs");
  host.subject.ranks.number = 4;
  expect_one(check_gpu_sharing(host.subject), Verdict::worth_knowing, "without MPS");
  host.subject.gpus.gpus[0].compute_mode = static_cast<int>(ComputeMode::exclusive_process);
  expect_one(check_gpu_sharing(host.subject), Verdict::wrong, "exclusive");
  host.write("/proc/321/comm", "nvidia-cuda-mps\n");
  expect_one(check_gpu_sharing(host.subject), Verdict::good, "MPS");
}

TEST(GpuSharingCheckTest, MpsByItsPipe) {
  MadeUpHost host;
  add_gpus(host, 1);
  host.subject.ranks = {.number = 2, .known = true};
  host.set_environment({{"CUDA_MPS_PIPE_DIRECTORY", "/scratch/mps"}});
  host.write("/scratch/mps/control", "");
  expect_one(check_gpu_sharing(host.subject), Verdict::good, "MPS");
}

}  // namespace
}  // namespace airamp::doctor
