// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Numbers of attributes and kinds of memory are those of CUDA's reference manual: host 1, device 2, unified 4.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "gpu/driver_library.hpp"
#include "gpu/location.hpp"
#include "tests/gpu/location/loaded_fake.hpp"

namespace {

using airamp::gpu::either_on_device;
using airamp::gpu::loaded_library_count;
using airamp::gpu::locate;
using airamp::gpu::Location;
using airamp::gpu::Memory;
using airamp::gpu::Platform;
using airamp::gpu::test::FakeDriver;
using airamp::gpu::test::FakeMemory;
using airamp::gpu::test::other_memory;
using airamp::gpu::test::some_memory;

int own_context, primary_context, current_context;  // addresses that stand for contexts

Location device_memory(int device, void* context) { return {Memory::device, Platform::cuda, device, context}; }

class CudaLocation : public testing::Test {
 public:
  static void SetUpTestSuite() {
    before_loading = locate(some_memory.data());
    driver = &airamp::gpu::test::load_fake_driver(FAKE_DRIVER_PATH);
  }

  void SetUp() override { *driver = FakeDriver(); }

  void TearDown() override {
    EXPECT_EQ(driver->intrusions, 0);
    EXPECT_EQ(driver->primary_references, 1);
  }

  static FakeMemory memory(unsigned type, void* context, int device, bool managed = false) {
    return {some_memory.data(), some_memory.size(), type, managed, context, device};
  }

  inline static Location before_loading;
  inline static FakeDriver* driver = nullptr;
};

TEST_F(CudaLocation, all_memory_is_the_hosts_until_the_driver_is_loaded) {
  driver->memory = {memory(2, &own_context, 1)};
  EXPECT_EQ(before_loading, Location{});
  EXPECT_EQ(locate(some_memory.data()).memory, Memory::device);
}

TEST_F(CudaLocation, memory_of_a_context_names_context_and_device) {
  driver->memory = {memory(2, &own_context, 3)};
  EXPECT_EQ(locate(some_memory.data()), device_memory(3, &own_context));
  EXPECT_EQ(locate(some_memory.data() + 4095), device_memory(3, &own_context));
}

TEST_F(CudaLocation, either_of_two_may_be_on_the_device) {
  driver->memory = {memory(2, &own_context, 3)};
  EXPECT_TRUE(either_on_device(some_memory.data(), some_memory.data()));
  EXPECT_TRUE(either_on_device(some_memory.data(), other_memory.data()));
  EXPECT_TRUE(either_on_device(other_memory.data(), some_memory.data()));
  EXPECT_TRUE(either_on_device(nullptr, some_memory.data()));
  EXPECT_FALSE(either_on_device(other_memory.data(), nullptr));
}

TEST_F(CudaLocation, memory_that_the_driver_does_not_know_is_the_hosts) {
  driver->memory = {memory(2, &own_context, 1)};
  EXPECT_EQ(locate(other_memory.data()), Location{});
}

TEST_F(CudaLocation, pinned_memory_is_the_hosts) {
  driver->memory = {memory(1, &own_context, 1)};
  EXPECT_EQ(locate(some_memory.data()), Location{});
}

TEST_F(CudaLocation, managed_memory_is_managed_wherever_it_is) {
  for (const unsigned type : {1U, 2U}) {
    driver->memory = {memory(type, &own_context, 1, true)};
    EXPECT_EQ(locate(some_memory.data()), Location{.memory = Memory::managed}) << type;
  }
  driver->memory = {memory(4, &own_context, 1)};
  EXPECT_EQ(locate(some_memory.data()), Location{.memory = Memory::managed});
}

// A device is asked once in a process: devices 2 and 3 let the host use managed memory at any time, device 1 does not.
TEST_F(CudaLocation, managed_memory_that_the_host_may_use_at_any_time_names_context_and_device) {
  driver->concurrent_managed_access = true;
  for (int call = 0; call < 3; ++call) {
    driver->memory = {memory(2, &own_context, 2, true)};
    EXPECT_EQ(locate(some_memory.data()), (Location{Memory::managed, Platform::cuda, 2, &own_context}));
  }
  EXPECT_EQ(driver->attribute_queries, 1);
  EXPECT_FALSE(either_on_device(some_memory.data(), some_memory.data()));
}

TEST_F(CudaLocation, managed_memory_without_a_context_belongs_to_the_active_primary_context) {
  driver->concurrent_managed_access = true;
  driver->memory = {memory(1, nullptr, 3, true)};
  EXPECT_EQ(locate(some_memory.data()), (Location{Memory::managed, Platform::cuda, 3, nullptr}));
  driver->primary_context = &primary_context;
  driver->primary_active = true;
  EXPECT_EQ(locate(some_memory.data()), (Location{Memory::managed, Platform::cuda, 3, &primary_context}));
}

TEST_F(CudaLocation, managed_memory_of_no_device_is_the_mpi_librarys) {
  driver->concurrent_managed_access = true;
  driver->memory = {memory(2, &own_context, -1, true)};
  EXPECT_EQ(locate(some_memory.data()), Location{.memory = Memory::managed});
  EXPECT_EQ(driver->attribute_queries, 0);
}

TEST_F(CudaLocation, all_memory_is_the_hosts_until_the_driver_is_initialised) {
  driver->memory = {memory(2, &own_context, 1)};
  driver->initialised = false;
  EXPECT_EQ(locate(some_memory.data()), Location{});
}

TEST_F(CudaLocation, memory_without_a_context_belongs_to_the_active_primary_context) {
  driver->memory = {memory(2, nullptr, 2)};
  driver->primary_context = &primary_context;
  driver->primary_active = true;
  driver->current_context = &current_context;
  driver->current_device = 2;
  EXPECT_EQ(locate(some_memory.data()), device_memory(2, &primary_context));
}

TEST_F(CudaLocation, memory_without_a_context_falls_to_the_current_one_of_its_device) {
  driver->memory = {memory(2, nullptr, 2)};
  driver->current_context = &current_context;
  driver->current_device = 2;
  EXPECT_EQ(locate(some_memory.data()), device_memory(2, &current_context));
  driver->current_device = 1;
  EXPECT_EQ(locate(some_memory.data()), device_memory(2, nullptr));
}

TEST_F(CudaLocation, no_context_is_created_for_memory_without_one) {
  driver->memory = {memory(2, nullptr, 0)};
  EXPECT_EQ(locate(some_memory.data()), device_memory(0, nullptr));
}

TEST_F(CudaLocation, special_values_are_not_asked_for) {
  for (const std::intptr_t value : {0, 1, -1}) locate(std::bit_cast<const void*>(value));
  EXPECT_EQ(driver->queries, 0);
}

TEST_F(CudaLocation, nothing_is_loaded_and_no_error_left) {
  driver->memory = {memory(2, &own_context, 1)};
  dlerror();
  const std::uint64_t before = loaded_library_count();
  locate(some_memory.data());
  locate(other_memory.data());
  EXPECT_EQ(loaded_library_count(), before);
  EXPECT_EQ(dlerror(), nullptr);
}

}  // namespace
