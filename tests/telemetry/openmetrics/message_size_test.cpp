// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/message_size.hpp"

#include <gmock/gmock.h>

namespace airamp::telemetry {
namespace {

TEST(MessageSize, names_a_power_of_two_bucket) {
  EXPECT_EQ(message_size(0), "0-1B");
  EXPECT_EQ(message_size(1), "1-2B");
  EXPECT_EQ(message_size(512), "512-1024B");
  EXPECT_EQ(message_size(1024), "1-2KiB");
  EXPECT_EQ(message_size(std::uint64_t{16} << 20U), "16-32MiB");
  EXPECT_EQ(message_size(std::uint64_t{1} << 63U), "8-16EiB");
}

TEST(MessageSize, takes_any_size) { EXPECT_EQ(message_size(1500), message_size(1024)); }

}  // namespace
}  // namespace airamp::telemetry
