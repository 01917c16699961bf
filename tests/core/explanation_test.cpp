// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/explanation.hpp"

#include <gtest/gtest.h>

namespace airamp {
namespace {

TEST(Explanation, OfNothingIsEmpty) { EXPECT_EQ(to_text({}), ""); }

TEST(Explanation, IsTheReasonsSentence) {
  EXPECT_EQ(to_text({.reason = Reason::below_min_bytes}), "smaller than min_bytes");
}

TEST(Explanation, HasItsFigures) {
  EXPECT_EQ(to_text({.reason = Reason::fastest, .measured = 1.698}), "measured 1.70x native");
  EXPECT_EQ(to_text({.reason = Reason::too_slow, .measured = 0.9, .bound = 1.05}),
            "only 0.90x native, less than 1.05x");
  EXPECT_EQ(to_text({.reason = Reason::error_above_bound, .measured = 0.07, .bound = 0.05}),
            "relative error 0.07 above the bound 0.05");
}

TEST(Explanation, EndsWithItsDetail) {
  EXPECT_EQ(to_text({.reason = Reason::off, .detail = "disabled by the settings"}),
            "AIRamp is off: disabled by the settings");
  EXPECT_EQ(to_text({.reason = Reason::not_acquired, .detail = "ranks share a GPU"}), "ranks share a GPU");
  EXPECT_EQ(to_text({.reason = Reason::given_up, .detail = "no more of it"}), "no more of it");
}

}  // namespace
}  // namespace airamp
