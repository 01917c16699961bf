// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// A library that was compiled without Highway: this program is linked with no_simd_codec.cpp.
#include <gtest/gtest.h>

#include "codec/codec.hpp"
#include "codec/host_targets.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec::test {
namespace {

TEST(WithoutSimd, ReferenceCodecsDoTheWork) {
  EXPECT_TRUE(runnable_host_targets().empty());
  for (const WireFormat format : every_wire_format) {
    for (const ElementType type : {ElementType::float16, ElementType::bfloat16, ElementType::float32}) {
      EXPECT_EQ(&host_codec(format, type), &host_reference_codec(format, type));
    }
  }
}

}  // namespace
}  // namespace airamp::codec::test
