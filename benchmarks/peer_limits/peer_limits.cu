// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What bounds an allreduce over peer memory: half of its traffic by stores to the peers in several forms, by loads from
// them and by copy engines; an allreduce that reads its share of all inputs in place and stores the sums to all
// outputs; and the engine's own kernel, whose data go through scratch memory. One process, one thread for each of 2, 4
// or 8 GPUs; medians of the slowest thread's time from before the launch until its stream is idle, microseconds. In
// place, processes would need a barrier at the end as well: somebody has to say that all sums have arrived.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/peer_limits/kernels.cuh"
#include "gpu/device/kernels.hpp"
#include "gpu/peer/layout.hpp"

namespace airamp::gpu {
namespace {

using namespace peer_limits;

constexpr std::size_t region_bytes = std::size_t{18} << 20;
constexpr std::size_t largest = std::size_t{1} << 30;
constexpr int calls = 15;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "peer_limits: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// What all threads share.
template <int ranks>
struct World {
  std::barrier<> meeting{ranks};
  std::array<float*, ranks> input{};
  std::array<float*, ranks> output{};
  std::array<std::byte*, ranks> region{};
  std::array<double, ranks> seconds{};
  std::atomic<bool> right{true};
};

/// One GPU's thread.
template <int ranks>
class Rank {
 public:
  Rank(World<ranks>& world, int rank) : world_(world), rank_(rank) {
    check(cudaSetDevice(rank), "cudaSetDevice");
    for (int other = 0; other < ranks; ++other) {
      if (other != rank) check(cudaDeviceEnablePeerAccess(other, 0), "cudaDeviceEnablePeerAccess");
    }
    check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, rank), "cudaDeviceGetAttribute");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    for (int d = 1; d < ranks; ++d) {
      check(cudaStreamCreateWithFlags(&copies_[d], cudaStreamNonBlocking), "cudaStreamCreate");
      check(cudaEventCreateWithFlags(&copied_[d], cudaEventDisableTiming), "cudaEventCreate");
    }
    check(cudaMalloc(&world.input[rank], largest), "cudaMalloc");
    check(cudaMalloc(&world.output[rank], largest), "cudaMalloc");
    check(cudaMalloc(&world.region[rank], region_bytes), "cudaMalloc");
    check(cudaMalloc(&state_, sizeof *state_), "cudaMalloc");
    check(cudaMemset(state_, 0, sizeof *state_), "cudaMemset");
    check(cudaMalloc(&wrong_, sizeof *wrong_), "cudaMalloc");
    check(cudaMemset(world.region[rank], 0xff, region_bytes), "cudaMemset");
    check(cudaMemset(wrong_, 0, sizeof *wrong_), "cudaMemset");
    check(cudaHostAlloc(&flag_, sizeof *flag_, cudaHostAllocMapped), "cudaHostAlloc");
    fill<<<1024, 256>>>(world.input[rank], largest / sizeof(float), static_cast<float>(rank + 1));
    check(cudaDeviceSynchronize(), "filling the input");
    world.meeting.arrive_and_wait();
  }

  void run() {
    struct Way {
      const char* name;
      std::function<void(std::size_t)> start;
      bool reduces;
    };
    std::vector<Way> ways{
        {"half, stores", [this](std::size_t bytes) { launch(move<ranks, Half::stores>, bytes); }, false},
        {"half, stores, peer by peer", [this](std::size_t bytes) { launch(move_in_turn<ranks>, bytes); }, false},
        {"half, stores, runs of 4 KiB", [this](std::size_t bytes) { launch(move_runs<ranks, 8, false>, bytes); },
         false},
        {"half, loads", [this](std::size_t bytes) { launch(move<ranks, Half::loads>, bytes); }, false},
        {"half, copy engines", [this](std::size_t bytes) { copy(bytes); }, false},
        {"allreduce in place", [this](std::size_t bytes) { launch(reduce_in_place<ranks>, bytes); }, true},
        {"allreduce through scratch", [this](std::size_t bytes) { reduce(bytes); }, true}};
    int capability = 0;
    check(cudaDeviceGetAttribute(&capability, cudaDevAttrComputeCapabilityMajor, rank_), "cudaDeviceGetAttribute");
    if (capability >= bulk_copies_since)
      ways.push_back({"half, bulk copies of 1 KiB",
                      [this](std::size_t bytes) { launch(move_runs<ranks, 2, true>, bytes); }, false});
    if (rank_ == 0) {
      std::printf("%d GPUs, us\n%-28s", ranks, "");
      for (std::size_t bytes = std::size_t{1} << 20; bytes <= largest; bytes *= 4) std::printf("%7zu MiB", bytes >> 20);
      std::printf("   right\n");
    }
    for (const Way& way : ways) {
      const bool right = !way.reduces || is_right(way.start);
      if (rank_ == 0) std::printf("%-28s", way.name);
      for (std::size_t bytes = std::size_t{1} << 20; bytes <= largest; bytes *= 4) {
        const double median = median_time([&] { way.start(bytes); });
        if (rank_ == 0) std::printf("%11.1f", 1e6 * median);
      }
      if (rank_ == 0) std::printf("   %s\n", !way.reduces ? "-" : right ? "yes" : "NO");
      if (!right) world_.right = false;
    }
  }

 private:
  void settle() {
    check(cudaStreamSynchronize(stream_), "running");
    world_.meeting.arrive_and_wait();
  }

  template <class Start>
  double median_time(const Start& start) {
    std::vector<double> times;
    for (int call = -3; call < calls; ++call) {
      settle();
      const auto begin = std::chrono::steady_clock::now();
      start();
      check(cudaStreamSynchronize(stream_), "running");
      world_.seconds[rank_] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      world_.meeting.arrive_and_wait();
      if (call >= 0) times.push_back(*std::max_element(world_.seconds.begin(), world_.seconds.end()));
    }
    settle();
    std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
    return times[calls / 2];
  }

  bool is_right(const std::function<void(std::size_t)>& start) {
    constexpr std::size_t bytes = std::size_t{16} << 20;
    check(cudaMemsetAsync(world_.output[rank_], 0xff, bytes, stream_), "cudaMemset");
    settle();
    start(bytes);
    settle();
    unsigned long long* others = wrong_;
    count_others<<<256, 256, 0, stream_>>>(world_.output[rank_], bytes / sizeof(float), ranks * (ranks + 1) / 2.0f,
                                           others);
    unsigned long long wrong = 0;
    check(cudaMemcpyAsync(&wrong, others, sizeof wrong, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    settle();
    return wrong == 0;
  }

  template <class Kernel>
  void launch(Kernel kernel, std::size_t bytes) {
    Buffers<ranks> buffers{};
    for (int r = 0; r < ranks; ++r) {
      buffers.input[r] = reinterpret_cast<const Vector*>(world_.input[r]);
      buffers.output[r] = reinterpret_cast<Vector*>(world_.output[r]);
    }
    buffers.vectors = bytes / sizeof(Vector);
    buffers.rank = rank_;
    kernel<<<multiprocessors_, threads, 0, stream_>>>(buffers);
    check(cudaGetLastError(), "launching");
  }

  void copy(std::size_t bytes) {
    const std::size_t share = bytes / sizeof(float) / ranks;
    for (int d = 1; d < ranks; ++d) {
      check(cudaMemcpyAsync(world_.output[(rank_ + d) % ranks] + share * rank_, world_.input[rank_] + share * rank_,
                            share * sizeof(float), cudaMemcpyDefault, copies_[d]),
            "cudaMemcpyAsync");
      check(cudaEventRecord(copied_[d], copies_[d]), "cudaEventRecord");
      check(cudaStreamWaitEvent(stream_, copied_[d]), "cudaStreamWaitEvent");
    }
  }

  void reduce(std::size_t bytes) {
    device::ReduceArguments a;
    const std::uint64_t elements = bytes / sizeof(float);
    const std::uint64_t tile = Float32::row_elements * static_cast<std::uint64_t>(reduce_tile_rows(ranks, true));
    a.index_step = tile * ranks;
    for (int r = 0; r < ranks; ++r) {
      a.begin[r] = static_cast<std::uint64_t>(r) * tile;
      a.end[r] = elements;
    }
    a.readers = (1u << ranks) - 1;
    const RingNeeds needs{.tiles = (elements + a.index_step - 1) / a.index_step,
                          .size = ranks,
                          .rows = reduce_tile_rows(ranks, true),
                          .kinds = 2,
                          .warps = device::reduce_warps(ranks)};
    const RingLayout layout = ring_layout(needs, region_bytes - votes_bytes, multiprocessors_);
    std::copy(world_.region.begin(), world_.region.end(), a.ring.region);
    a.ring.votes_offset = region_bytes - votes_bytes;
    a.ring.slot_bytes = layout.slot_bytes;
    a.ring.record_offset = layout.record_offset;
    a.ring.channels = layout.channels;
    a.ring.rounds = layout.rounds;
    a.ring.size = ranks;
    a.ring.rank = rank_;
    a.input = reinterpret_cast<const std::byte*>(world_.input[rank_]);
    a.output = reinterpret_cast<std::byte*>(world_.output[rank_]);
    a.input_aligned = true;
    a.output_aligned = true;
    a.completion = {state_, flag_};
    const auto blocks = std::min(layout.channels, static_cast<std::uint32_t>(multiprocessors_));
    const std::uint32_t warps = (layout.channels + blocks - 1) / blocks;
    device::reduce_kernel<ranks, Float32><<<blocks, 32 * warps, 0, stream_>>>(a);
    check(cudaGetLastError(), "launching");
  }

  World<ranks>& world_;
  int rank_;
  int multiprocessors_ = 1;
  cudaStream_t stream_ = nullptr;
  std::array<cudaStream_t, ranks> copies_{};
  std::array<cudaEvent_t, ranks> copied_{};
  device::LaunchState* state_ = nullptr;
  unsigned long long* wrong_ = nullptr;  ///< elements
  std::uint32_t* flag_ = nullptr;
};

template <int ranks>
bool run_all() {
  World<ranks> world;
  std::vector<std::thread> gpus;
  for (int rank = 0; rank < ranks; ++rank) gpus.emplace_back([&world, rank] { Rank<ranks>(world, rank).run(); });
  for (std::thread& gpu : gpus) gpu.join();
  return world.right;
}

}  // namespace
}  // namespace airamp::gpu

int main() {
  // A kernel loaded while a peer's kernel waits for it would wait for ever.
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus < 2) {
    std::fprintf(stderr, "skipped: there are fewer than two GPUs here\n");
    return 77;
  }
  const bool right = gpus >= 8   ? airamp::gpu::run_all<8>()
                     : gpus >= 4 ? airamp::gpu::run_all<4>()
                                 : airamp::gpu::run_all<2>();
  return right ? 0 : 1;
}
