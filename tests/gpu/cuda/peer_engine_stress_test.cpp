// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Many large launches one after the other between GPUs, where a word that is lost or overwritten shows as a launch that
// never ends; then one that is compared with the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "tests/gpu/cuda/cuda_device.hpp"
#include "tests/gpu/cuda/rank_processes.hpp"
#include "tests/gpu/cuda/run_peer_case.hpp"
#include "tests/gpu/peer/peer_case.hpp"

namespace airamp::gpu::test {
namespace {

constexpr std::size_t region_bytes = std::size_t{16} << 20;
constexpr std::size_t largest_bytes = std::size_t{64} << 20;
constexpr std::size_t gaps = 4096;  // between blocks, at most

/// The n-th launch of a case: sizes of all orders of magnitude, the largest often.
PeerCase resized(PeerCase c, int n) {
  const std::size_t bytes = (n % 3 == 0 ? largest_bytes : largest_bytes >> (n % 17)) / size_of(c.type);
  c.elements = bytes - std::min<std::size_t>(bytes, static_cast<std::size_t>(n));
  const bool of_whole_vectors = may_be_one_shot(c.pattern) || c.pattern == Pattern::bcast;
  if (!of_whole_vectors) c.elements /= static_cast<std::uint64_t>(c.size);
  c.seed = static_cast<std::uint32_t>(n);
  c.root = n % c.size;
  return c;
}

void repeat(const Rank& rank, const OpenedDevice& opened, const Regions& regions, const PeerCase& c) {
  const DeviceMemory input(largest_bytes + gaps);
  const DeviceMemory output(largest_bytes + gaps);
  check(cudaMemset(input.data(), 0x3c, largest_bytes + gaps));
  check(cudaDeviceSynchronize());
  for (int n = 0; n < 200; ++n) {
    const PeerCase of_this_size = resized(c, n);
    PeerCollective collective = collective_of(of_this_size, rank, opened, regions);
    collective.input = input.data();
    collective.output = output.data();
    launch_together(rank, opened, collective, "launch " + std::to_string(n) + ", " + to_string(of_this_size));
  }
  PeerCase checked = resized(c, 3);
  checked.elements = checked.elements / 16 + 1;
  const std::string wrong = run_case(rank, opened, regions, checked);
  if (!wrong.empty()) rank.fail(to_string(checked) + ": " + wrong);
}

/// A number of ranks, and what they do.
class PeerEngineStress : public testing::TestWithParam<std::tuple<int, Pattern>> {};

TEST_P(PeerEngineStress, ManyLargeLaunchesEndAndAreRight) {
  const auto [size, pattern] = GetParam();
  if (count_gpus_elsewhere() < size) GTEST_SKIP() << "there are not so many GPUs here";
  std::vector<PeerCase> cases;
  const auto add = [&](PeerCase c) {
    c.pattern = pattern;
    c.size = size;
    c.region_bytes = region_bytes;
    cases.push_back(c);
  };
  for (const DataType type : {DataType::float16, DataType::float64, DataType::int32}) add({.type = type});
  if (pattern < Pattern::alltoallv) {
    add({.wire = WireFormat::mxfp8_e4m3, .type = DataType::bfloat16});
    add({.wire = WireFormat::mxint8, .type = DataType::float32});
  }
  const std::string failure = run_ranks(size, 90, [&](const Rank& rank) {
    const OpenedDevice opened(rank.rank());
    const Regions regions(rank, opened.device(), region_bytes);
    for (const PeerCase& c : cases) repeat(rank, opened, regions, c);
    rank.meet();
  });
  EXPECT_EQ(failure, "");
}

std::string name_of(const testing::TestParamInfo<PeerEngineStress::ParamType>& info) {
  const auto [size, pattern] = info.param;
  return to_string(pattern) + "_" + std::to_string(size);
}

INSTANTIATE_TEST_SUITE_P(Ranks, PeerEngineStress,
                         testing::Combine(testing::Values(2, 3, 4, 8),
                                          testing::Values(Pattern::allreduce, Pattern::reduce_scatter_block,
                                                          Pattern::allgather, Pattern::bcast, Pattern::alltoallv,
                                                          Pattern::reduce, Pattern::reduce_scatter, Pattern::scan,
                                                          Pattern::exscan)),
                         name_of);

}  // namespace
}  // namespace airamp::gpu::test
