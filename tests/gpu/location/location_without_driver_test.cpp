// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "gpu/driver_library.hpp"
#include "gpu/location.hpp"

namespace {

using airamp::gpu::DriverLibrary;
using airamp::gpu::loaded_library_count;
using airamp::gpu::locate;
using airamp::gpu::Location;

TEST(LocationWithoutDriver, all_memory_is_the_hosts) {
  const std::vector<int> heap(1000);
  const int on_stack = 0;
  static const int in_data = 0;
  EXPECT_EQ(locate(heap.data()), Location{});
  EXPECT_EQ(locate(&on_stack), Location{});
  EXPECT_EQ(locate(&in_data), Location{});
}

TEST(LocationWithoutDriver, nothing_is_loaded_to_find_out) {
  const int on_stack = 0;
  dlerror();
  const std::uint64_t before = loaded_library_count();
  locate(&on_stack);
  EXPECT_EQ(loaded_library_count(), before);
  EXPECT_EQ(dlerror(), nullptr);
}

TEST(LocationWithoutDriver, special_values_are_host_memory) {
  for (const std::intptr_t value : {0, 1, 2, -1, -2, 4095, -4096}) {
    EXPECT_EQ(locate(std::bit_cast<const void*>(value)), Location{}) << value;
  }
}

TEST(LocationWithoutDriver, a_library_is_found_by_the_beginning_of_its_file_name) {
  DriverLibrary standard("libc.so"), unknown("libno-such-driver.so"), inner_part("c.so");
  const std::uint64_t count = loaded_library_count();
  void* const handle = standard.handle(count);
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(dlsym(handle, "malloc"), dlsym(RTLD_DEFAULT, "malloc"));
  EXPECT_EQ(unknown.handle(count), nullptr);
  EXPECT_EQ(inner_part.handle(count), nullptr);
}

}  // namespace
