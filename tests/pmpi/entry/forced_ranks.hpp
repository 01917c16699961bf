// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "pmpi/entry/hooks.hpp"
#include "tests/pmpi/entry/environment.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {

/// A program of so many ranks from MPI_Init to MPI_Finalize, whose collectives go through shared memory.
inline void in_forced_ranks(int ranks, const std::function<void(int rank)>& program) {
  const Environment environment(std::map<std::string, std::string>{{"AIRAMP_FORCE", "shared-memory"}});
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    ASSERT_EQ(on_MPI_Init(nullptr, nullptr), MPI_SUCCESS);
    program(rank);
    EXPECT_EQ(on_MPI_Finalize(), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace airamp::pmpi
