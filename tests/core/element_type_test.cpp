// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/element_type.hpp"

#include <gtest/gtest.h>

#include "core/data_type.hpp"

namespace airamp {
namespace {

TEST(ElementType, IsTheDataTypeOfItsNameAndSize) {
  for (const auto type : {ElementType::float16, ElementType::bfloat16, ElementType::float32}) {
    EXPECT_EQ(element_type(data_type(type)), type);
  }
  EXPECT_EQ(to_string(ElementType::float16), "float16");
  EXPECT_EQ(to_string(ElementType::bfloat16), "bfloat16");
  EXPECT_EQ(to_string(ElementType::float32), "float32");
  EXPECT_EQ(size_of(ElementType::bfloat16), 2U);
  EXPECT_EQ(size_of(ElementType::float32), 4U);
}

TEST(ElementType, IsNoneOfTheTypesThatNoCodecTakes) {
  for (const auto type :
       {DataType::float64, DataType::int32, DataType::uint32, DataType::int64, DataType::uint64, DataType::byte}) {
    EXPECT_EQ(element_type(type), std::nullopt) << to_string(type);
  }
}

}  // namespace
}  // namespace airamp
