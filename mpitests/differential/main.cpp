// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Random collectives, each run natively (MPI_Pcontrol(0)) and through AIRamp (MPI_Pcontrol(1)) in the same process:
//   differential [--seed N] [--calls N]
// Lossless results must be byte-identical, but for which NaN stays where several meet; where the settings allow
// compression, results must lie within the codec's bound, be the same bits on all ranks, and keep poison poison. Exit
// status 1 if anything was wrong on any rank.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "mpitests/differential/buffer.hpp"
#include "mpitests/differential/call.hpp"
#include "mpitests/differential/communicators.hpp"
#include "mpitests/differential/execute.hpp"
#include "mpitests/differential/verify.hpp"

namespace airamp::differential {
namespace {

constexpr int calls_between_communicators = 25;
constexpr int calls_between_types = 97;
constexpr int max_messages = 5;

struct Buffers {
  Buffer send;
  Buffer native;
  Buffer airamp;
  Buffer again;
};

struct Counts {
  std::int64_t lossy = 0;      // calls that AIRamp may compress
  std::int64_t different = 0;  // of these, calls whose result was not native's
  std::int64_t wrong = 0;
};

void run(const Call& call, bool native, Buffers& buffers) {
  MPI_Pcontrol(native ? 0 : 1);
  execute(call, buffers.send, native ? buffers.native : buffers.airamp);
}

bool same_bytes(const Buffer& a, const Buffer& b) { return std::memcmp(a.data(), b.data(), a.size()) == 0; }

/// Whether the ranks that got another result than native's all got the same bits. Collective over the communicator.
bool same_on_all_ranks(const Call& call, const Buffers& buffers) {
  const auto hash = static_cast<std::int64_t>(buffers.airamp.hash() >> 1U);
  const std::int64_t mine[3] = {hash, -hash, same_bytes(buffers.native, buffers.airamp) ? 0 : 1};
  std::int64_t largest[3] = {0, 0, 0};
  MPI_Pcontrol(0);
  MPI_Allreduce(mine, largest, 3, MPI_INT64_T, MPI_MAX, call.communicator->handle);
  return largest[0] == -largest[1] || largest[2] == 0;
}

bool floating_point_reduction(const Call& call) { return reduces(call.kind) && is_float(call.element->format); }

/// Whether `mine` holds on some rank of the communicator, on either side of an inter-communicator. Collective over it.
bool on_some_rank(const Call& call, bool mine) {
  MPI_Pcontrol(0);
  int some = mine ? 1 : 0;
  for (int side = 0; side < 2; ++side) {  // an inter-communicator gives the other group's result
    const int known = some;
    int others = 0;
    MPI_Allreduce(&known, &others, 1, MPI_INT, MPI_MAX, call.communicator->handle);
    some = std::max(known, others);
  }
  return some != 0;
}

/// Whether the native library itself gives other bits when the call is repeated: MPICH 5 does in floating-point
/// reductions, as it changes its algorithm in the course of a run. Collective over the communicator.
bool native_varies(const Call& call, Buffers& buffers) {
  constexpr int repetitions = 10;
  bool varied = false;
  for (int i = 0; i < repetitions; ++i) {
    prepare_send(call, buffers.send);
    prepare_receive(call, buffers.again);
    MPI_Pcontrol(0);
    execute(call, buffers.send, buffers.again);
    varied = varied || !same_bytes(buffers.native, buffers.again);
  }
  return on_some_rank(call, varied);
}

/// Makes one call both ways. Returns what is wrong with it, empty if nothing is.
std::string compare(const Call& call, const Lossy& lossy, Buffers& buffers, Counts& counts) {
  prepare_send(call, buffers.send);
  prepare_receive(call, buffers.native);
  prepare_receive(call, buffers.airamp);
  const std::uint64_t input = buffers.send.hash();
  run(call, !call.native_last, buffers);
  run(call, call.native_last, buffers);

  std::string wrong;
  if (lossy.allows(call)) {
    ++counts.lossy;
    if (!same_bytes(buffers.native, buffers.airamp)) ++counts.different;
    wrong = check_lossy(call, lossy, buffers.native, buffers.airamp);
    if (!same_on_all_ranks(call, buffers)) wrong += " not the same bits on all ranks";
  } else if (const bool same = same_but_for_nans_that_met(call, buffers.native, buffers.airamp);
             on_some_rank(call, !same) && !(floating_point_reduction(call) && native_varies(call, buffers)) && !same) {
    std::size_t i = 0;
    while (buffers.native.data()[i] == buffers.airamp.data()[i]) ++i;
    wrong = "byte " + std::to_string(i) + " is not native's";
  }
  if (buffers.send.hash() != input) wrong += " the send buffer was written";
  if (!buffers.send.guards_intact() || !buffers.native.guards_intact() || !buffers.airamp.guards_intact())
    wrong += " memory beside a buffer was written";
  return wrong;
}

Counts run_calls(std::uint64_t seed, std::int64_t calls) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Lossy lossy = Lossy::from_environment();
  Random random(seed);
  Communicators communicators;
  std::vector<Element> elements = create_elements(random.bits());
  std::vector<Operation> operations = create_operations(random.bits());
  Buffers buffers;
  Counts counts;
  for (std::int64_t i = 0; i < calls; ++i) {
    MPI_Pcontrol(1);
    if (i % calls_between_communicators == 0) communicators.change(random);
    if (i % calls_between_types == 0) {
      free_elements(elements);
      free_operations(operations);
      elements = create_elements(random.bits());
      operations = create_operations(random.bits());
    }
    const Call call = draw_call(random, communicators, elements, operations, ranks);
    if (call.communicator->handle == MPI_COMM_NULL) continue;
    const std::string wrong = compare(call, lossy, buffers, counts);
    if (!wrong.empty() && ++counts.wrong <= max_messages)
      std::fprintf(stderr, "rank %d, call %lld: %s: %s\n", rank, static_cast<long long>(i), call.describe().c_str(),
                   wrong.c_str());
  }
  MPI_Pcontrol(1);
  free_elements(elements);
  free_operations(operations);
  return counts;
}

int run_test(int argc, char** argv) {
  std::uint64_t seed = 1;
  std::int64_t calls = 10000;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--calls") == 0) calls = std::strtoll(argv[i + 1], nullptr, 10);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    std::printf("differential test: --seed %llu --calls %lld\n", static_cast<unsigned long long>(seed),
                static_cast<long long>(calls));
  const Counts mine = run_calls(seed, calls);
  MPI_Pcontrol(0);
  std::int64_t wrong = 0;
  MPI_Allreduce(&mine.wrong, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Pcontrol(1);
  if (rank == 0)
    std::printf("rank 0: %lld calls may be compressed, %lld of them differ from native; wrong on all ranks: %lld\n",
                static_cast<long long>(mine.lossy), static_cast<long long>(mine.different),
                static_cast<long long>(wrong));
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace airamp::differential

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = airamp::differential::run_test(argc, argv);
  MPI_Finalize();
  return status;
}
