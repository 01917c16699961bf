// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// device_stress [--calls N] [--seed S] [--beside]: collectives of all kinds, types and sizes in bursts without a pause,
// on device buffers; every element of every result is checked on the device. What is nonblocking is completed at the
// end of its burst, in any order. With --beside a second thread of each rank uses the GPU meanwhile. The last line of
// rank 0 says how many calls were made and in how many ranks any was wrong.

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "mpitests/real_device/busy_thread.hpp"
#include "mpitests/real_device/device.hpp"
#include "mpitests/real_device/element.hpp"
#include "mpitests/real_device/fill_and_check.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr std::size_t burst = 8;
constexpr std::size_t buffer_bytes = 32U << 20U;
constexpr std::size_t slack = 64;  // bytes for unaligned buffers

using differential::Random;

enum class Kind {
  allreduce,
  allgather,
  reduce_scatter_block,
  bcast,
  alltoall,
  reduce,
  reduce_scatter,
  scan,
  exscan,
  iallreduce
};

/// Whether all ranks have vectors of the same length, of which no rank has a part of its own.
bool is_of_whole_vectors(Kind kind) {
  return kind == Kind::allreduce || kind == Kind::bcast || kind == Kind::reduce || kind == Kind::scan ||
         kind == Kind::exscan || kind == Kind::iallreduce;
}

struct Call {
  std::uint64_t number = 0;
  Kind kind = Kind::allreduce;
  const Element* element = nullptr;
  const Operation* sum = nullptr;
  std::size_t count = 0;   // elements; of one rank where the ranks' differ
  std::size_t offset = 0;  // bytes
  int root = 0;
};

struct Buffers {
  std::byte* send = nullptr;
  std::byte* receive = nullptr;
};

std::size_t draw_bytes(Random& random) {
  const std::uint64_t size = random.below(100);
  if (size < 70) return random.below(16U << 10U);
  return random.below(size < 98 ? 1U << 20U : buffer_bytes);
}

/// Of what is nonblocking: a few lengths, so that the ranks come to agree on how calls like these go.
std::size_t draw_started_bytes(Random& random) {
  constexpr std::size_t lengths[] = {8, 64, 512, 2040, 2048, 64U << 10U, 1U << 20U};
  return lengths[random.below(std::size(lengths))];
}

class Stress {
 public:
  Stress() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    own_ = Random(static_cast<std::uint64_t>(rank_));
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    const char* fp8 = std::getenv("AIRAMP_ENABLE_FP8_ALLREDUCE");
    lossy_ = fp8 != nullptr && std::string(fp8) == "1";
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    for (Buffers& buffers : buffers_) {
      buffers.send = allocate(buffer_bytes + slack);
      buffers.receive = allocate(buffer_bytes + slack);
    }
    findings_ = reinterpret_cast<Findings*>(allocate(sizeof(Findings)));
    const Findings none{0, ~0ULL};
    copy_bytes(findings_, &none, sizeof none);
  }
  ~Stress() {
    for (const Buffers& buffers : buffers_) {
      require(cudaFree(buffers.send), "cudaFree");
      require(cudaFree(buffers.receive), "cudaFree");
    }
    require(cudaFree(findings_), "cudaFree");
    require(cudaStreamDestroy(stream_), "cudaStreamDestroy");
  }
  Stress(const Stress&) = delete;
  Stress& operator=(const Stress&) = delete;

  // `calls` calls, all in one burst.
  void run(Random& random, std::uint64_t first, std::size_t calls) {
    std::array<Call, burst> drawn;
    for (std::size_t i = 0; i < calls; ++i) {
      drawn[i] = draw(random, first + i);
      fill_buffers(drawn[i], buffers_[i]);
    }
    synchronize();
    // Now and then somebody is late.
    const auto late = static_cast<int>(random.below(50 * static_cast<std::uint64_t>(ranks_)));
    if (late == rank_) usleep(300);
    for (std::size_t i = 0; i < calls; ++i) call_mpi(drawn[i], buffers_[i]);
    complete_all();
    for (std::size_t i = 0; i < calls; ++i) check_result(drawn[i], buffers_[i]);
    synchronize();
  }

  Findings findings() const {
    Findings result{};
    copy_bytes(&result, findings_, sizeof result);
    return result;
  }

 private:
  static std::byte* allocate(std::size_t bytes) {
    void* data = nullptr;
    require(cudaMalloc(&data, bytes), "cudaMalloc");
    return static_cast<std::byte*>(data);
  }

  void synchronize() const {
    require(cudaGetLastError(), "a kernel's launch");
    require(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

  Call draw(Random& random, std::uint64_t number) const {
    Call call;
    call.number = number;
    constexpr Kind kinds[] = {Kind::allreduce,  Kind::allreduce,      Kind::allreduce, Kind::allreduce,
                              Kind::allgather,  Kind::bcast,          Kind::alltoall,  Kind::reduce_scatter_block,
                              Kind::reduce,     Kind::reduce_scatter, Kind::scan,      Kind::exscan,
                              Kind::iallreduce, Kind::iallreduce};
    call.kind = kinds[random.below(std::size(kinds))];
    const std::vector<Element>& elements = vocabulary_.elements();
    call.element = &elements[random.below(elements.size() - 1)];  // the last one is bytes
    call.sum = vocabulary_.operations(*call.element).front();
    const std::size_t bytes = call.kind == Kind::iallreduce ? draw_started_bytes(random) : draw_bytes(random);
    call.count = bytes / call.element->bytes;
    if (!is_of_whole_vectors(call.kind)) call.count /= static_cast<std::size_t>(ranks_);
    call.offset = random.chance(0.3) ? random.below(slack / call.element->bytes) * call.element->bytes : 0;
    call.root = static_cast<int>(random.below(static_cast<std::uint64_t>(ranks_)));
    return call;
  }

  /// Elements of a rank's result of a reduce_scatter: they differ a little.
  static std::size_t result_count(const Call& call, int rank) {
    return call.count - std::min(call.count, static_cast<std::size_t>(rank));
  }

  // With mxfp8 the inputs must be exact in three fraction bits, and so must the sums: up to 16 ranks.
  Numbers numbers(const Call& call, int rank, int ranks) const {
    return {call.element->format, call.number, rank, ranks, lossy_ ? 1 : 8};
  }

  void fill_buffers(const Call& call, const Buffers& buffers) const {
    const bool one_vector = is_of_whole_vectors(call.kind) || call.kind == Kind::allgather;
    const std::size_t blocks = one_vector ? 1 : static_cast<std::size_t>(ranks_);
    const bool root = call.kind == Kind::bcast && call.root == rank_;
    require(cudaMemsetAsync(buffers.receive, 0xa5, call.count * call.element->bytes + call.offset, stream_),
            "cudaMemsetAsync");
    fill(numbers(call, rank_, 1), (root ? buffers.receive : buffers.send) + call.offset, 0, blocks * call.count,
         stream_);
  }

  void call_mpi(const Call& call, const Buffers& buffers) {
    const auto count = static_cast<int>(call.count);
    const MPI_Datatype type = call.element->type;
    const std::byte* send = buffers.send + call.offset;
    std::byte* receive = buffers.receive + call.offset;
    switch (call.kind) {
      case Kind::allreduce:
        MPI_Allreduce(send, receive, count, type, call.sum->op, MPI_COMM_WORLD);
        break;
      case Kind::allgather:
        MPI_Allgather(send, count, type, receive, count, type, MPI_COMM_WORLD);
        break;
      case Kind::reduce_scatter_block:
        MPI_Reduce_scatter_block(send, receive, count, type, call.sum->op, MPI_COMM_WORLD);
        break;
      case Kind::bcast:
        MPI_Bcast(receive, count, type, call.root, MPI_COMM_WORLD);
        break;
      case Kind::alltoall:
        MPI_Alltoall(send, count, type, receive, count, type, MPI_COMM_WORLD);
        break;
      case Kind::reduce:
        MPI_Reduce(send, call.root == rank_ ? receive : nullptr, count, type, call.sum->op, call.root, MPI_COMM_WORLD);
        break;
      case Kind::reduce_scatter: {
        std::vector<int> counts;
        for (int i = 0; i < ranks_; ++i) counts.push_back(static_cast<int>(result_count(call, i)));
        MPI_Reduce_scatter(send, receive, counts.data(), type, call.sum->op, MPI_COMM_WORLD);
        break;
      }
      case Kind::scan:
        MPI_Scan(send, receive, count, type, call.sum->op, MPI_COMM_WORLD);
        break;
      case Kind::exscan:
        MPI_Exscan(send, receive, count, type, call.sum->op, MPI_COMM_WORLD);
        break;
      case Kind::iallreduce:
        requests_.push_back(MPI_REQUEST_NULL);
        MPI_Iallreduce(send, receive, count, type, call.sum->op, MPI_COMM_WORLD, &requests_.back());
        break;
    }
  }

  /// In an order of this rank's own.
  void complete_all() {
    while (!requests_.empty()) {
      std::swap(requests_[own_.below(requests_.size())], requests_.back());
      MPI_Wait(&requests_.back(), MPI_STATUS_IGNORE);
      requests_.pop_back();
    }
  }

  void check_result(const Call& call, const Buffers& buffers) const {
    const std::byte* receive = buffers.receive + call.offset;
    switch (call.kind) {
      case Kind::allreduce:
      case Kind::iallreduce:
        return check(numbers(call, 0, ranks_), receive, 0, call.count, findings_, stream_);
      case Kind::reduce_scatter_block:
        return check(numbers(call, 0, ranks_), receive, static_cast<std::size_t>(rank_) * call.count, call.count,
                     findings_, stream_);
      case Kind::reduce:
        if (call.root == rank_) check(numbers(call, 0, ranks_), receive, 0, call.count, findings_, stream_);
        return;
      case Kind::reduce_scatter: {
        std::size_t begin = 0;
        for (int i = 0; i < rank_; ++i) begin += result_count(call, i);
        return check(numbers(call, 0, ranks_), receive, begin, result_count(call, rank_), findings_, stream_);
      }
      case Kind::scan:
        return check(numbers(call, 0, rank_ + 1), receive, 0, call.count, findings_, stream_);
      case Kind::exscan:
        if (rank_ > 0) check(numbers(call, 0, rank_), receive, 0, call.count, findings_, stream_);
        return;
      case Kind::bcast:
        return check(numbers(call, call.root, 1), receive, 0, call.count, findings_, stream_);
      case Kind::allgather:
      case Kind::alltoall:
        for (int i = 0; i < ranks_; ++i) {
          const std::size_t begin = call.kind == Kind::alltoall ? static_cast<std::size_t>(rank_) * call.count : 0;
          check(numbers(call, i, 1), receive + static_cast<std::size_t>(i) * call.count * call.element->bytes, begin,
                call.count, findings_, stream_);
        }
    }
  }

  const Vocabulary vocabulary_;
  int rank_ = 0;
  int ranks_ = 1;
  bool lossy_ = false;
  cudaStream_t stream_ = nullptr;
  Random own_{0};
  std::vector<MPI_Request> requests_;
  std::array<Buffers, burst> buffers_;
  Findings* findings_ = nullptr;
};

std::unique_ptr<BusyThread> busy_thread(std::uint64_t seed) {
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  return std::make_unique<BusyThread>(device, seed);
}

int run(std::uint64_t calls, std::uint64_t seed, bool beside) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Stress stress;
  const std::unique_ptr<BusyThread> other = beside ? busy_thread(seed + static_cast<std::uint64_t>(rank)) : nullptr;
  Random random(seed);
  const double start = MPI_Wtime();
  for (std::uint64_t i = 0; i < calls; i += burst) {
    stress.run(random, i, static_cast<std::size_t>(std::min<std::uint64_t>(burst, calls - i)));
  }
  const double seconds = MPI_Wtime() - start;
  const Findings findings = stress.findings();
  if (findings.wrong_elements != 0) {
    std::printf("wrong: rank %d, %llu elements, the first in call %llu\n", rank, findings.wrong_elements,
                findings.first_wrong_call);
    std::fflush(stdout);
  }
  const std::string mistake = other ? other->stop() : "";
  if (!mistake.empty()) std::printf("wrong: rank %d, the other thread: %s\n", rank, mistake.c_str());
  int wrong_ranks = findings.wrong_elements != 0 || !mistake.empty() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &wrong_ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    const auto pieces = static_cast<unsigned long long>(other ? other->done() : 0);
    std::printf("device_stress: %llu calls in %.1f s beside %llu pieces of another thread's work, wrong in %d ranks\n",
                static_cast<unsigned long long>(calls), seconds, pieces, wrong_ranks);
  }
  return wrong_ranks == 0 ? 0 : 1;
}

}  // namespace
}  // namespace airamp::gpu_tests

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  std::uint64_t calls = 100000;
  std::uint64_t seed = 1;
  bool beside = false;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--beside") beside = true;
    if (name == "--calls" && i + 1 < argc) calls = std::strtoull(argv[++i], nullptr, 10);
    if (name == "--seed" && i + 1 < argc) seed = std::strtoull(argv[++i], nullptr, 10);
  }
  const int status =
      airamp::gpu_tests::use_device() ? airamp::gpu_tests::run(calls, seed, beside) : airamp::gpu_tests::skipped;
  MPI_Finalize();
  return status;
}
