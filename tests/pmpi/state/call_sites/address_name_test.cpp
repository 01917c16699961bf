// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/call_sites/address_name.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

namespace airamp::pmpi {
namespace {

using testing::HasSubstr;

const char* behind(const void* address) { return static_cast<const char*>(address) + 1; }

TEST(AddressName, NamesFunctionsOfLibraries) {
  const telemetry::Report::Frame frame = name_of_call(behind(reinterpret_cast<const void*>(&std::abort)));
  EXPECT_EQ(frame.symbol, "abort");
  EXPECT_THAT(frame.object, HasSubstr("libc.so"));
  EXPECT_GT(frame.offset, 0);
}

TEST(AddressName, NamesTheProgramsFile) {
  const telemetry::Report::Frame frame = name_of_call(behind(reinterpret_cast<const void*>(&behind)));
  EXPECT_EQ(frame.object, std::filesystem::read_symlink("/proc/self/exe").string());
}

TEST(AddressName, KnowsNothingOfOtherPlaces) {
  int on_the_stack = 0;
  const telemetry::Report::Frame frame = name_of_call(&on_the_stack);
  EXPECT_EQ(frame.object, "");
  EXPECT_EQ(frame.symbol, "");
}

}  // namespace
}  // namespace airamp::pmpi
