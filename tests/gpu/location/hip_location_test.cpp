// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Built for release 5 and for release 6 of HIP. Kinds of memory are those of their headers: release 5 host 0, device 1,
// unified 3; release 6 unregistered 0, host 1, device 2, managed 3, unified 11.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "gpu/location.hpp"
#include "tests/gpu/location/loaded_fake.hpp"

namespace {

using airamp::gpu::locate;
using airamp::gpu::Location;
using airamp::gpu::Memory;
using airamp::gpu::Platform;
using airamp::gpu::test::FakeDriver;
using airamp::gpu::test::FakeMemory;
using airamp::gpu::test::other_memory;
using airamp::gpu::test::some_memory;

constexpr unsigned type_host = FAKE_HIP_RELEASE >= 6 ? 1 : 0;
constexpr unsigned type_device = FAKE_HIP_RELEASE >= 6 ? 2 : 1;
constexpr unsigned type_unified = FAKE_HIP_RELEASE >= 6 ? 11 : 3;

class HipLocation : public testing::Test {
 public:
  static void SetUpTestSuite() {
    before_loading = locate(some_memory.data());
    runtime = &airamp::gpu::test::load_fake_driver(FAKE_DRIVER_PATH);
  }

  void SetUp() override { *runtime = FakeDriver(); }

  void TearDown() override { EXPECT_EQ(runtime->intrusions, 0); }

  static FakeMemory memory(unsigned type, int device, bool managed = false) {
    return {some_memory.data(), some_memory.size(), type, managed, nullptr, device};
  }

  inline static Location before_loading;
  inline static FakeDriver* runtime = nullptr;
};

TEST_F(HipLocation, all_memory_is_the_hosts_until_the_runtime_is_loaded) {
  runtime->memory = {memory(type_device, 1)};
  EXPECT_EQ(before_loading, Location{});
  EXPECT_EQ(locate(some_memory.data()).memory, Memory::device);
}

TEST_F(HipLocation, device_memory_names_its_device) {
  runtime->memory = {memory(type_device, 3)};
  EXPECT_EQ(locate(some_memory.data() + 7), (Location{Memory::device, Platform::hip, 3, nullptr}));
}

TEST_F(HipLocation, pinned_memory_is_the_hosts) {
  runtime->memory = {memory(type_host, 1)};
  EXPECT_EQ(locate(some_memory.data()), Location{});
}

TEST_F(HipLocation, managed_memory_is_managed) {
  for (const FakeMemory& managed :
       {memory(type_host, 1, true), memory(type_device, 1, true), memory(type_unified, 1)}) {
    runtime->memory = {managed};
    EXPECT_EQ(locate(some_memory.data()), Location{.memory = Memory::managed}) << managed.type;
  }
}

TEST_F(HipLocation, memory_that_the_runtime_does_not_know_is_the_hosts_and_leaves_no_error) {
  EXPECT_EQ(locate(other_memory.data()), Location{});
  EXPECT_EQ(runtime->queries, 1);
  EXPECT_EQ(runtime->last_error, 0);
}

TEST_F(HipLocation, an_error_of_the_applications_stays) {
  runtime->last_error = 719;
  locate(other_memory.data());
  EXPECT_NE(runtime->last_error, 0);
}

TEST_F(HipLocation, a_runtime_that_is_not_initialised_stays_so) {
  runtime->memory = {memory(type_device, 1)};
  runtime->initialised = false;
  EXPECT_EQ(locate(some_memory.data()), Location{});
  EXPECT_FALSE(runtime->initialised);
}

TEST_F(HipLocation, special_values_are_not_asked_for) {
  for (const std::intptr_t value : {0, 1, -1}) locate(std::bit_cast<const void*>(value));
  EXPECT_EQ(runtime->queries, 0);
}

}  // namespace
