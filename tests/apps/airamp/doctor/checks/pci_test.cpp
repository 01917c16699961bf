// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

constexpr const char* gpu_class = "0x030200";
constexpr const char* nvidia = "0x10de";
constexpr const char* first_gpu = "0000:17:00.0";
constexpr const char* second_gpu = "0000:65:00.0";
constexpr const char* bridge = "0000:16:01.0";

/// A configuration space with an unknown capability at 0x100 and ACS at 0x148.
std::string configuration(char control) {
  std::string space(4096, '\0');
  space.replace(0x100, 4, std::string("\x01\x00\x82\x14", 4));  // advanced error reporting, next at 0x148
  space.replace(0x148, 4, std::string("\x0d\x00\x01\x00", 4));
  space[0x148 + 6] = control;
  return space;
}

void set_iommu(MadeUpHost& host, const std::string& address, const std::string& group, const std::string& type) {
  host.link("/sys/bus/pci/devices/" + address + "/iommu_group", "../../../kernel/iommu_groups/" + group);
  host.write("/sys/kernel/iommu_groups/" + group + "/type", type + "\n");
}

MadeUpHost& with_two_gpus(MadeUpHost& host) {
  host.add_pci_device(first_gpu, gpu_class, nvidia);
  host.add_pci_device(second_gpu, gpu_class, nvidia);
  host.add_pci_device(bridge, "0x060400", "0x8086");
  return host;
}

TEST(IommuCheckTest, OfNoInterestWithoutGpus) {
  MadeUpHost host;
  host.add_pci_device("0000:03:00.0", "0x030000", "0x1a03");  // a board's own display
  expect_one(check_iommu(host.subject), Verdict::good, "of no interest");
  expect_one(check_access_control(host.subject), Verdict::good, "of no interest");
}

TEST(IommuCheckTest, TranslatesOrPassesThrough) {
  MadeUpHost host;
  with_two_gpus(host);
  set_iommu(host, first_gpu, "13", "identity");
  expect_one(check_iommu(host.subject), Verdict::good, "passes addresses");
  set_iommu(host, second_gpu, "14", "DMA-FQ");
  expect_one(check_iommu(host.subject), Verdict::worth_knowing, "1 GPU or RDMA card");
}

TEST(AccessControlCheckTest, ByTheBridgesControlRegisters) {
  MadeUpHost host;
  with_two_gpus(host);
  const std::string file = std::string("/sys/bus/pci/devices/") + bridge + "/config";
  expect_one(check_access_control(host.subject), Verdict::not_known, "root alone");
  host.write(file, configuration(0).substr(0, 64));  // what others than root can read
  expect_one(check_access_control(host.subject), Verdict::not_known, "root alone");
  host.write(file, configuration(0x01));  // source validation alone
  expect_one(check_access_control(host.subject), Verdict::good, "off");
  host.write(file, configuration(0x1d));
  expect_one(check_access_control(host.subject), Verdict::wrong, "1 of 1 bridge");
}

TEST(AccessControlCheckTest, ChainsOfCapabilitiesThatNeverEnd) {
  MadeUpHost host;
  with_two_gpus(host);
  std::string space(4096, '\0');
  space.replace(0x100, 4, std::string("\x01\x00\x02\x10", 4));  // next at 0x100 again
  host.write(std::string("/sys/bus/pci/devices/") + bridge + "/config", space);
  expect_one(check_access_control(host.subject), Verdict::good, "off");
}

TEST(AccessControlCheckTest, VirtualMachinesShowNoBridge) {
  MadeUpHost host;
  host.add_pci_device(first_gpu, gpu_class, nvidia);
  host.add_pci_device(second_gpu, gpu_class, nvidia);
  expect_one(check_access_control(host.subject), Verdict::not_known, "no bridge");
}

}  // namespace
}  // namespace airamp::doctor
