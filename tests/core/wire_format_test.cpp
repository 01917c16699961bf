// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/wire_format.hpp"

#include <gtest/gtest.h>

namespace airamp {
namespace {

TEST(WireFormat, HasTheNamesOfOcpMicroscaling) {
  EXPECT_EQ(to_string(WireFormat::mxfp8_e4m3), "mxfp8-e4m3");
  EXPECT_EQ(to_string(WireFormat::mxfp8_e5m2), "mxfp8-e5m2");
  EXPECT_EQ(to_string(WireFormat::mxint8), "mxint8");
  EXPECT_EQ(to_string(WireFormat::mxfp6_e2m3), "mxfp6-e2m3");
  EXPECT_EQ(to_string(WireFormat::mxfp6_e3m2), "mxfp6-e3m2");
  EXPECT_EQ(to_string(WireFormat::mxfp4), "mxfp4");
}

TEST(WireFormat, IsListedByNumber) {
  for (std::size_t i = 0; i < every_wire_format.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(every_wire_format[i]), i);
  }
  EXPECT_EQ(to_string(static_cast<WireFormat>(every_wire_format.size())), "");
}

}  // namespace
}  // namespace airamp
