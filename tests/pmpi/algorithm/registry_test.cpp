// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/registry.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <set>
#include <vector>

#include "config/enum_names.hpp"
#include "gpu/peer/collective.hpp"
#include "pmpi/algorithm/native_persistent.hpp"
#include "pmpi/group/levels/two_level_group.hpp"
#include "pmpi/group/peer_regions.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Kind every_exchange_for_gpus[] = {Kind::alltoall, Kind::alltoallv, Kind::alltoallw, Kind::gather,
                                            Kind::scatter,  Kind::gatherv,   Kind::scatterv};
constexpr Kind every_other_kind_for_gpus[] = {Kind::allreduce, Kind::allgather, Kind::allgatherv,
                                              Kind::reduce_scatter_block, Kind::bcast};
constexpr std::uint64_t kib = 1024;

std::vector<AlgorithmId> candidates(Kind kind, std::uint64_t max_bytes, const LocalFacts& facts, int size) {
  const CandidateList list = candidates_for(kind, max_bytes, facts, size, imposed_by(job().settings.force));
  return {list.begin(), list.end()};
}

LocalFacts on_host(bool lossy) { return {.lossy = lossy, .memory = Memory::host}; }
LocalFacts on_device(bool lossy) { return {.lossy = lossy, .lossless = true, .memory = Memory::device}; }

class Candidates : public testing::Test {
 protected:
  void SetUp() override { job().settings = {}; }
  void TearDown() override { job().settings = {}; }
};

TEST_F(Candidates, HostBuffersGoOverMpiIfTheyMayBeCompressed) {
  for (const Kind kind : every_other_kind_for_gpus) {
    EXPECT_THAT(candidates(kind, 1024 * kib, on_host(true), 4), ElementsAre(AlgorithmId::mpi_two_shot));
    EXPECT_THAT(candidates(kind, 1024 * kib, on_host(false), 4), IsEmpty());
  }
}

// Of float16, the largest message of the bucket below 4 GiB has 2^31 - 1 elements, as many as an int can count.
TEST_F(Candidates, PersistentAllreducesAreForLargeOnesWithAFreeOrder) {
  constexpr std::uint64_t mib = 1024 * kib;
  LocalFacts facts = on_host(true);
  facts.type = DataType::float16;
  std::vector<AlgorithmId> persistent = {AlgorithmId::mpi_two_shot};
  if (library_frees_persistent_collectives) persistent.insert(persistent.begin(), AlgorithmId::native_persistent);
  EXPECT_THAT(candidates(Kind::allreduce, 16 * mib - 1, facts, 4), ElementsAre(AlgorithmId::mpi_two_shot));
  EXPECT_EQ(candidates(Kind::allreduce, 32 * mib - 1, facts, 4), persistent);
  EXPECT_EQ(candidates(Kind::allreduce, 4096 * mib - 1, facts, 4), persistent);
  EXPECT_THAT(candidates(Kind::allreduce, 8192 * mib - 1, facts, 4), ElementsAre(AlgorithmId::mpi_two_shot));
  facts.type = DataType::float32;
  EXPECT_EQ(candidates(Kind::allreduce, 8192 * mib - 1, facts, 4), persistent);
  EXPECT_THAT(candidates(Kind::allreduce, 32 * mib - 1, on_host(false), 4), IsEmpty());
  for (const Kind kind : {Kind::allgather, Kind::allgatherv, Kind::reduce_scatter_block, Kind::bcast}) {
    EXPECT_THAT(candidates(kind, 32 * mib - 1, on_host(true), 4), ElementsAre(AlgorithmId::mpi_two_shot));
  }
  facts = on_device(true);
  for (const AlgorithmId id : candidates(Kind::allreduce, 32 * mib - 1, facts, 4))
    EXPECT_NE(id, AlgorithmId::native_persistent);
}

TEST_F(Candidates, ImposedPersistentAllreducesAreOfAnySize) {
  job().settings.force = config::Force::native_persistent;
  EXPECT_THAT(candidates(Kind::allreduce, 1, on_host(true), 2), ElementsAre(AlgorithmId::native_persistent));
  EXPECT_THAT(candidates(Kind::allreduce, 1, on_host(false), 2), IsEmpty());
  EXPECT_THAT(candidates(Kind::allgather, 1, on_host(true), 2), IsEmpty());
}

TEST_F(Candidates, SmallAllreducesTakeOneShotLargeOnesTwo) {
  EXPECT_THAT(candidates(Kind::allreduce, 7, on_device(false), 2), ElementsAre(AlgorithmId::peer_one_shot));
  EXPECT_THAT(candidates(Kind::allreduce, 32 * kib - 1, on_device(false), 2), ElementsAre(AlgorithmId::peer_one_shot));
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib - 1, on_device(false), 2),
              ElementsAre(AlgorithmId::peer_one_shot, AlgorithmId::peer_two_shot));
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib - 1, on_device(false), 2),
              ElementsAre(AlgorithmId::peer_two_shot));
}

// A row of 512 bytes takes 544 of each peer's part; the small region has 1 MiB.
TEST_F(Candidates, OneShotGoesAsFarAsTheSmallRegion) {
  EXPECT_EQ(max_one_shot_bytes(2), 512 * kib);  // 1 * 1024 rows * 544 bytes are 0.53 MiB; 512 KiB is the limit
  EXPECT_EQ(max_one_shot_bytes(3), 256 * kib);  // 2 * 1024 rows would be 1.06 MiB
  EXPECT_EQ(max_one_shot_bytes(4), 256 * kib);  // 3 * 512 rows are 0.80 MiB
  EXPECT_EQ(max_one_shot_bytes(8), 128 * kib);  // 7 * 256 rows are 0.93 MiB
  EXPECT_EQ(max_one_shot_bytes(16), 64 * kib);  // 15 * 128 rows are 0.996 MiB
  for (int size = 2; size <= gpu::max_peers; ++size) {
    const std::uint64_t most = max_one_shot_bytes(size);
    EXPECT_EQ(candidates(Kind::allreduce, most, on_device(false), size).front(), AlgorithmId::peer_one_shot);
    EXPECT_EQ(candidates(Kind::allreduce, most + 1, on_device(false), size).front(), AlgorithmId::peer_two_shot);
  }
}

TEST_F(Candidates, OtherKindsGoThroughOwners) {
  for (const Kind kind : every_other_kind_for_gpus) {
    if (kind == Kind::allreduce) continue;
    for (const std::uint64_t bytes : {1 * kib, 64 * kib, 4096 * kib}) {
      EXPECT_THAT(candidates(kind, bytes, on_device(false), 4), ElementsAre(AlgorithmId::peer_two_shot));
    }
  }
}

TEST_F(Candidates, ExchangesOnDevicesGoOverPeerMemoryAlone) {
  job().settings.enable_ccl = true;
  for (const Kind kind : every_exchange_for_gpus) {
    for (const std::uint64_t bytes : {std::uint64_t{0}, 1 * kib, 4096 * kib}) {
      EXPECT_THAT(candidates(kind, bytes, on_device(false), gpu::max_peers), ElementsAre(AlgorithmId::peer_two_shot));
      EXPECT_THAT(candidates(kind, bytes, on_device(false), gpu::max_peers + 1), IsEmpty());
      EXPECT_THAT(candidates(kind, bytes, on_host(false), 4), IsEmpty());
    }
  }
}

TEST_F(Candidates, CompressionIsACandidateBesideTheLosslessPaths) {
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib - 1, on_device(true), 4),
              ElementsAre(AlgorithmId::peer_one_shot, AlgorithmId::peer_two_shot, AlgorithmId::two_level,
                          AlgorithmId::two_level_compressed, AlgorithmId::peer_compressed, AlgorithmId::mpi_two_shot));
  EXPECT_THAT(candidates(Kind::allreduce, 8192 * kib, on_device(true), 3),
              ElementsAre(AlgorithmId::peer_two_shot, AlgorithmId::peer_compressed, AlgorithmId::mpi_two_shot));
  EXPECT_THAT(candidates(Kind::allgather, 8192 * kib, on_device(true), 4),
              ElementsAre(AlgorithmId::peer_two_shot, AlgorithmId::peer_compressed, AlgorithmId::mpi_two_shot));
}

TEST_F(Candidates, EveryMessageOnDevicesHasACandidate) {
  for (const Kind kind : every_other_kind_for_gpus) {
    for (int size = 2; size <= gpu::max_peers; ++size) {
      for (std::uint64_t bytes = 1; bytes < (std::uint64_t{1} << 40U); bytes = 2 * bytes + 1) {
        EXPECT_GE(candidates_for(kind, bytes, on_device(false), size, std::nullopt).size(), 1U);
      }
    }
  }
}

TEST_F(Candidates, ForceLeavesTheImposedPathOrNone) {
  job().settings.force = config::Force::peer_two_shot;
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib - 1, on_device(true), 4), ElementsAre(AlgorithmId::peer_two_shot));
  EXPECT_THAT(candidates(Kind::allreduce, 1 * kib, on_device(true), 4), IsEmpty());
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib - 1, on_host(true), 4), IsEmpty());
  job().settings.force = config::Force::peer_compressed;
  EXPECT_THAT(candidates(Kind::allgather, 64 * kib, on_device(true), 4), ElementsAre(AlgorithmId::peer_compressed));
  EXPECT_THAT(candidates(Kind::allgather, 64 * kib, on_device(false), 4), IsEmpty());
  job().settings.force = config::Force::mpi_two_shot;
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, on_host(true), 4), ElementsAre(AlgorithmId::mpi_two_shot));
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, on_device(true), 4), ElementsAre(AlgorithmId::mpi_two_shot));
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, on_device(false), 4), IsEmpty());
}

TEST_F(Candidates, TheSitesLibraryIsACandidateIfItIsEnabled) {
  job().settings.enable_ccl = true;
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib - 1, on_device(false), 2),
              ElementsAre(AlgorithmId::peer_one_shot, AlgorithmId::peer_two_shot, AlgorithmId::ccl));
  for (const Kind kind : {Kind::allgather, Kind::reduce_scatter_block, Kind::bcast}) {
    EXPECT_THAT(candidates(kind, 1024 * kib, on_device(false), 2),
                ElementsAre(AlgorithmId::peer_two_shot, AlgorithmId::ccl));
  }
  EXPECT_THAT(candidates(Kind::allgatherv, 1024 * kib, on_device(false), 2), ElementsAre(AlgorithmId::peer_two_shot));
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_host(true), 2), ElementsAre(AlgorithmId::mpi_two_shot));
}

// fmax(NaN, 1) is 1.
TEST_F(Candidates, TheSitesLibraryTakesNoExtremesOfRealNumbers) {
  job().settings.enable_ccl = true;
  for (const ReduceOp op : {ReduceOp::max, ReduceOp::min}) {
    LocalFacts facts = on_device(false);
    facts.op = op;
    for (const DataType type : {DataType::float16, DataType::bfloat16, DataType::float32, DataType::float64}) {
      facts.type = type;
      EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, facts, 2), ElementsAre(AlgorithmId::peer_two_shot));
    }
    for (const DataType type : {DataType::int32, DataType::uint32, DataType::int64, DataType::uint64}) {
      facts.type = type;
      EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, facts, 2),
                  ElementsAre(AlgorithmId::peer_two_shot, AlgorithmId::ccl));
    }
  }
}

TEST_F(Candidates, MoreRanksThanPeersHaveTheSitesLibraryAlone) {
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_device(false), gpu::max_peers + 1), IsEmpty());
  job().settings.enable_ccl = true;
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_device(false), gpu::max_peers + 1),
              ElementsAre(AlgorithmId::ccl));
  job().settings.force = config::Force::ccl;
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_device(false), 2), ElementsAre(AlgorithmId::ccl));
}

TEST_F(Candidates, AllreducesOfAGridOfRanksMayGoInTwoLevels) {
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_device(false), 4),
              ElementsAre(AlgorithmId::peer_two_shot, AlgorithmId::two_level));
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_device(false), 32), ElementsAre(AlgorithmId::two_level));
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_device(true), 32),
              ElementsAre(AlgorithmId::two_level, AlgorithmId::two_level_compressed, AlgorithmId::mpi_two_shot));
  for (const Kind kind : {Kind::allgather, Kind::allgatherv, Kind::reduce_scatter_block, Kind::bcast}) {
    EXPECT_THAT(candidates(kind, 1024 * kib, on_device(false), 4), ElementsAre(AlgorithmId::peer_two_shot));
  }
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_host(true), 4), ElementsAre(AlgorithmId::mpi_two_shot));
  job().settings.force = config::Force::two_level;
  EXPECT_THAT(candidates(Kind::allreduce, 1, on_device(true), 4), ElementsAre(AlgorithmId::two_level));
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_device(true), 3), IsEmpty());
  job().settings.force = config::Force::two_level_compressed;
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_device(true), 4),
              ElementsAre(AlgorithmId::two_level_compressed));
  EXPECT_THAT(candidates(Kind::allreduce, 1024 * kib, on_device(false), 4), IsEmpty());
}

// Whether a vector may go that way at all is said by `lossless`.
TEST_F(Candidates, NumbersInHostMemoryGoThroughSharedMemory) {
  LocalFacts facts{.lossless = true, .type = DataType::float64, .memory = Memory::host};
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, facts, 4), ElementsAre(AlgorithmId::shared_memory));
  EXPECT_THAT(candidates(Kind::reduce, 64 * kib, facts, 4), ElementsAre(AlgorithmId::shared_memory));
  EXPECT_THAT(candidates(Kind::allgatherv, 64 * kib, facts, 4), ElementsAre(AlgorithmId::shared_memory));
  EXPECT_THAT(candidates(Kind::reduce_scatter_block, 64 * kib, facts, 4), ElementsAre(AlgorithmId::shared_memory));
  facts.op = ReduceOp::max;
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, facts, 4), ElementsAre(AlgorithmId::shared_memory));
  facts.op = ReduceOp::band;
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, facts, 4), IsEmpty());
  EXPECT_THAT(candidates(Kind::reduce, 64 * kib, facts, 4), IsEmpty());
  facts.type = DataType::int32;
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, facts, 4), ElementsAre(AlgorithmId::shared_memory));
  facts.memory = Memory::device;
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, facts, 4),
              testing::Not(testing::Contains(AlgorithmId::shared_memory)));
}

// Whatever is imposed otherwise, and of any length.
TEST_F(Candidates, APromisedOrderImposesSharedMemoryAndThenMessages) {
  const LocalFacts facts{.lossless = true, .type = DataType::float64, .memory = Memory::host};
  constexpr std::uint64_t longest = std::uint64_t{1} << 40U;
  EXPECT_FALSE(candidates_for(Kind::allreduce, 64 * kib, facts, 4, std::nullopt).is_imposed());
  EXPECT_THAT(candidates(Kind::allreduce, longest, facts, 4), IsEmpty());
  for (const ReductionOrder order : {ReductionOrder::fixed, ReductionOrder::exact}) {
    job().settings.reduction_order = order;
    for (const std::uint64_t bytes : {std::uint64_t{8}, longest}) {
      const CandidateList list = candidates_for(Kind::allreduce, bytes, facts, 4, AlgorithmId::mpi_two_shot);
      const std::vector<AlgorithmId> ids(list.begin(), list.end());
      EXPECT_THAT(ids, ElementsAre(AlgorithmId::shared_memory, AlgorithmId::ordered_messages));
      EXPECT_EQ(list.why_imposed(), Reason::order_promised);
    }
  }
  job().settings.reduction_order = ReductionOrder::any;
  EXPECT_FALSE(candidates_for(Kind::allreduce, 64 * kib, facts, 4, std::nullopt).is_imposed());
  EXPECT_THAT(candidates(Kind::allreduce, longest, facts, 4), ElementsAre(AlgorithmId::shared_memory));
}

TEST_F(Candidates, MessagesInOrderAreForPromisesAlone) {
  LocalFacts facts{.lossless = true, .type = DataType::float64, .memory = Memory::host};
  job().settings.force = config::Force::ordered_messages;
  for (const ReductionOrder order : {ReductionOrder::native, ReductionOrder::any}) {
    job().settings.reduction_order = order;
    EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, facts, 4), IsEmpty());
  }
  job().settings.reduction_order = ReductionOrder::fixed;
  for (const Kind kind : {Kind::allreduce, Kind::reduce, Kind::reduce_scatter_block}) {
    EXPECT_THAT(candidates(kind, 64 * kib, facts, 4), ElementsAre(AlgorithmId::ordered_messages));
  }
  EXPECT_THAT(candidates(Kind::scan, 64 * kib, facts, 4), IsEmpty());
  facts.type = DataType::int32;
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, facts, 4), IsEmpty());
}

TEST_F(Candidates, BytesInHostMemoryGoThroughSharedMemory) {
  const LocalFacts facts{.lossless = true, .type = DataType::byte, .memory = Memory::host};
  for (const Kind kind : {Kind::allgather, Kind::allgatherv, Kind::bcast, Kind::barrier, Kind::alltoall, Kind::gather,
                          Kind::scatter, Kind::gatherv, Kind::scatterv, Kind::alltoallv, Kind::alltoallw}) {
    EXPECT_THAT(candidates(kind, 64 * kib, facts, 4), ElementsAre(AlgorithmId::shared_memory));
    EXPECT_THAT(candidates(kind, 64 * kib, on_host(false), 4), IsEmpty());
  }
}

TEST_F(Candidates, NothingElseCarriesWhatIsNotForGpus) {
  job().settings.enable_ccl = true;
  for (const Memory memory : {Memory::host, Memory::device}) {
    const LocalFacts facts{.lossless = memory == Memory::device, .type = DataType::float64, .memory = memory};
    EXPECT_THAT(candidates(Kind::barrier, 64 * kib, facts, 4), IsEmpty());
  }
}

// One shot is for results of whole vectors, and the site's library is not asked for any of these.
TEST_F(Candidates, ReductionsThatNotAllRanksGetGoOverPeerMemory) {
  job().settings.enable_ccl = true;
  for (const Kind kind : {Kind::reduce, Kind::scan, Kind::exscan}) {
    EXPECT_THAT(candidates(kind, 7, on_device(false), 2), ElementsAre(AlgorithmId::peer_one_shot));
    EXPECT_THAT(candidates(kind, 32 * kib, on_device(false), 2),
                ElementsAre(AlgorithmId::peer_one_shot, AlgorithmId::peer_two_shot));
    EXPECT_THAT(candidates(kind, 1024 * kib, on_device(false), 4), ElementsAre(AlgorithmId::peer_two_shot));
  }
  EXPECT_THAT(candidates(Kind::reduce_scatter, 7, on_device(false), 4), ElementsAre(AlgorithmId::peer_two_shot));
}

// How they go is a function of what MPI wants equal, and nobody is asked.
TEST_F(Candidates, WhatIsStartedAndNotTooLongGoesThroughSharedMemory) {
  LocalFacts facts{.lossless = true, .type = DataType::float64, .op = ReduceOp::sum, .memory = Memory::host};
  for (const Kind kind : {Kind::iallreduce, Kind::allreduce_init}) {
    facts.op = ReduceOp::sum;
    EXPECT_THAT(candidates(kind, 2047, facts, 4), ElementsAre(AlgorithmId::shared_memory));
    EXPECT_THAT(candidates(kind, 2047, facts, 65), IsEmpty());
    // the more ranks, the shorter: 1 MiB for four vectors of each
    EXPECT_THAT(candidates(kind, 64 * kib - 1, facts, 4), ElementsAre(AlgorithmId::shared_memory));
    EXPECT_THAT(candidates(kind, 128 * kib - 1, facts, 4), IsEmpty());
    EXPECT_THAT(candidates(kind, 4 * kib - 1, facts, 64), ElementsAre(AlgorithmId::shared_memory));
    EXPECT_THAT(candidates(kind, 8 * kib - 1, facts, 64), IsEmpty());
    job().gpus = true;  // which may take the longer ones
    EXPECT_THAT(candidates(kind, 2047, facts, 4), ElementsAre(AlgorithmId::shared_memory));
    EXPECT_THAT(candidates(kind, 4095, facts, 4), IsEmpty());
    job().gpus = false;
    facts.op = ReduceOp::max;  // of NaN and of zeros each MPI library makes what it likes
    EXPECT_THAT(candidates(kind, 2047, facts, 4), IsEmpty());
  }
  for (const Kind kind : {Kind::ibarrier, Kind::barrier_init})
    EXPECT_THAT(candidates(kind, 0, facts, 4), ElementsAre(AlgorithmId::shared_memory));
  job().settings.reduction_order = ReductionOrder::fixed;
  facts.op = ReduceOp::sum;
  EXPECT_THAT(candidates(Kind::iallreduce, 2047, facts, 4), IsEmpty());
  facts.type = DataType::int64;
  EXPECT_THAT(candidates(Kind::iallreduce, 2047, facts, 4), ElementsAre(AlgorithmId::shared_memory));
}

// Each rank brings what lies on its GPU to memory that the others share, or back, as its own affair.
TEST_F(Candidates, WhatIsStartedMayLieOnGpus) {
  const LocalFacts facts{.lossless = true, .type = DataType::int64, .op = ReduceOp::sum, .memory = Memory::host};
  job().gpus = true;
  for (const Kind kind : {Kind::iallreduce, Kind::ibarrier, Kind::allreduce_init, Kind::barrier_init})
    EXPECT_THAT(candidates(kind, 8, facts, 4), ElementsAre(AlgorithmId::shared_memory));
  job().gpus = false;
}

// Vectors that are too long for the memory of the host, as far as there are places for them on the GPUs; not those that
// migrate.
TEST_F(Candidates, LongOnesThatAreStartedOnGpusGoOverPeers) {
  LocalFacts facts{.lossless = true, .type = DataType::float64, .op = ReduceOp::sum, .memory = Memory::device};
  for (const Kind kind : {Kind::iallreduce, Kind::allreduce_init}) {
    EXPECT_THAT(candidates(kind, 4 * kib, facts, 16), ElementsAre(AlgorithmId::peer_one_shot));
    EXPECT_THAT(candidates(kind, 256 * kib, facts, 2), ElementsAre(AlgorithmId::peer_one_shot));
    EXPECT_THAT(candidates(kind, 512 * kib, facts, 2), IsEmpty());
    EXPECT_THAT(candidates(kind, 64 * kib, facts, 17), IsEmpty());
  }
  facts.memory = Memory::managed;
  EXPECT_THAT(candidates(Kind::iallreduce, 64 * kib, facts, 4), IsEmpty());
}

// What is compressed by the user's wish has results of its own.
TEST_F(Candidates, WhatMayBeCompressedDoesNotGoThroughSharedMemory) {
  const LocalFacts facts{.lossy = true, .lossless = true, .type = DataType::float32, .memory = Memory::host};
  EXPECT_THAT(candidates(Kind::allreduce, 64 * kib, facts, 4), ElementsAre(AlgorithmId::mpi_two_shot));
}

// A host has at least two of them and at most as many as peers can be, and there are at least two hosts.
TEST(MayBeTwoLevel, IfTheRanksMakeAGrid) {
  for (const int size : {4, 6, 8, 9, 10, 16, 32, 34, 49, 256, 1000}) EXPECT_TRUE(may_be_two_level(size)) << size;
  for (const int size : {1, 2, 3, 5, 7, 13, 17, 289, 361, 997}) EXPECT_FALSE(may_be_two_level(size)) << size;
}

// In the same file as the line that registers it, each algorithm says all of itself.
TEST(Registry, HasAnEntryForEveryAlgorithm) {
  std::set<int> orders;
  for (const AlgorithmTraits& traits : algorithm_traits) {
    const AlgorithmEntry& entry = entry_of(traits.id);
    EXPECT_NE(entry.carries, nullptr) << traits.name;
    EXPECT_NE(entry.acquire, nullptr) << traits.name;
    EXPECT_TRUE(orders.insert(entry.order).second) << traits.name << " is measured when another one is";
  }
}

// All results of a trial go to the same scratch, and the lossy ones are compared.
TEST(Registry, MeasuresWhatIsLossyLastOfWhatCarriesACall) {
  for (const Kind kind : every_other_kind_for_gpus) {
    for (const LocalFacts& facts : {on_host(true), on_device(true)}) {
      bool lossy_before = false;
      for (const AlgorithmId id : candidates(kind, 16 * 1024 * kib, facts, 4)) {
        EXPECT_TRUE(is_lossy(id) || !lossy_before) << to_string(id);
        lossy_before = is_lossy(id);
      }
    }
  }
}

TEST(Registry, ASettingImposesTheAlgorithmOfItsName) {
  EXPECT_EQ(imposed_by(config::Force::none), std::nullopt);
  EXPECT_EQ(imposed_by(config::Force::native), std::nullopt);
  for (const AlgorithmTraits& traits : algorithm_traits) {
    const std::optional<config::Force> force = config::find_enumerator<config::Force>(traits.name);
    ASSERT_TRUE(force.has_value()) << traits.name;
    EXPECT_EQ(imposed_by(*force), traits.id);
  }
}

}  // namespace
}  // namespace airamp::pmpi
