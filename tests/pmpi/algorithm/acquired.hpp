// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "pmpi/algorithm/registry.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {

/// An algorithm as a signature acquires it, among all ranks.
struct AcquiredOnRank {
  AcquiredOnRank(AlgorithmId id, Kind kind, const LocalFacts& wanted, int rank, int size)
      : facts(wanted),
        acquired(entry_of(id).acquire({.id = id,
                                       .kind = kind,
                                       .facts = facts,
                                       .gpu = gpu,
                                       .max_bytes = facts.bytes,
                                       .comm = MPI_COMM_WORLD,
                                       .rank = rank,
                                       .size = size,
                                       .resources = resources,
                                       .tag = tag})) {}

  Algorithm& operator*() const { return *acquired.algorithm; }
  Algorithm* operator->() const { return acquired.algorithm.get(); }

  LocalFacts facts;
  gpu::Location gpu;
  CommunicatorResources resources;
  std::optional<int> tag;
  Acquired acquired;
};

}  // namespace airamp::pmpi
