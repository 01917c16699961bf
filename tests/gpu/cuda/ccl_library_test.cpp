// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What is declared by hand of NCCL against its own header, where there is one, and the library, where there is one.
#include "gpu/runtime/ccl_library.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#if __has_include(<nccl.h>)
#include <nccl.h>
#define HAS_NCCL_HEADER 1
#endif

namespace airamp::gpu::runtime {
namespace {

#ifdef HAS_NCCL_HEADER
template <class Theirs, class Ours>
constexpr bool same(Theirs theirs, Ours ours) {
  static_assert(sizeof(Theirs) == sizeof(Ours));
  return static_cast<int>(theirs) == static_cast<int>(ours);
}
using Type = CclLibrary::Type;
using Operation = CclLibrary::Operation;
static_assert(same(ncclSuccess, CclLibrary::Result::success));
static_assert(same(ncclInt8, Type::int8) && same(ncclInt32, Type::int32) && same(ncclUint32, Type::uint32));
static_assert(same(ncclInt64, Type::int64) && same(ncclUint64, Type::uint64));
static_assert(same(ncclFloat16, Type::float16) && same(ncclBfloat16, Type::bfloat16));
static_assert(same(ncclFloat32, Type::float32) && same(ncclFloat64, Type::float64));
static_assert(same(ncclSum, Operation::sum) && same(ncclProd, Operation::prod));
static_assert(same(ncclMax, Operation::max) && same(ncclMin, Operation::min));
static_assert(sizeof(ncclUniqueId) == sizeof(CclId) && std::is_trivially_copyable_v<CclId>);
static_assert(alignof(ncclUniqueId) == alignof(CclId));
#endif

TEST(CclLibrary, IsUsableOrSaysWhyNot) {
  Error error;
  const CclLibrary* const library = CclLibrary::find(error);
  if (library == nullptr) {
    EXPECT_STRNE(error.text.data(), "");
    return;
  }
  EXPECT_GE(library->version, CclLibrary::oldest_version);
  EXPECT_EQ(CclLibrary::find(error), library);
  EXPECT_TRUE(library->succeeded(CclLibrary::Result::success, "nothing", error));
  EXPECT_FALSE(library->succeeded(CclLibrary::Result{4}, "something", error));
  EXPECT_EQ(std::string(error.text.data()).find("something: "), 0U);
}

}  // namespace
}  // namespace airamp::gpu::runtime
