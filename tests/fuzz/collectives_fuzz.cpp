// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: whatever a program of collectives does, and in whatever order its ranks go on, AIRamp changes nothing
// but what tests/schedules allows it to. Of the input, the first byte says how many ranks there are, the second one the
// settings, the next two the schedule, the next two whether a call of MPI fails on some rank, which the program is to
// survive without a mistake of its own, and each of the rest is a call.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testing/in_process_mpi/exploration.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/pmpi/ranks.hpp"
#include "tests/schedules/program.hpp"

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the leak sanitizer's, if it is there
extern "C" void __lsan_disable() __attribute__((weak));

namespace {

/// From now on what this thread allocates may stay: of an algorithm that has failed does, for MPI may write to it.
void keep_leaks() {
  if (__lsan_disable != nullptr) __lsan_disable();
}

using airamp::schedules::Program;
using airamp::schedules::Rank;

void repeat(const std::function<void()>& call) {
  constexpr int times = 8;
  for (int i = 0; i < times; ++i) call();
}

void call(Rank& rank, std::uint8_t byte) {
  const int chosen = byte / 16 % rank.size();
  const int next = (chosen + 1) % rank.size();
  switch (byte % 16) {
    case 0:
      return byte >= 128 ? rank.allreduce_shorter() : rank.allreduce();
    case 1:
      return byte >= 128 ? rank.scatter(chosen) : rank.allgather();
    case 2:
      return rank.broadcast(chosen);
    case 3:
      return byte >= 128 ? rank.scan(Rank::in_parts) : rank.barrier();
    case 4:
      return rank.during_message(chosen, next, [&] { rank.allreduce(); });
    case 5:
      return rank.on_new_communicator([&](MPI_Comm comm) { rank.allreduce(comm); });
    case 6:
      return rank.want(byte >= 128 || rank.rank() != chosen);
    case 7:
      return rank.rank() == chosen ? rank.allreduce_elsewhere() : rank.allreduce();
    case 8:
      return rank.reduce(chosen);
    case 9:
      return rank.during_message(chosen, next, [&] { rank.broadcast(chosen); });
    case 10:
      return rank.during_message(chosen, next, [&] { rank.reduce(next); });
    case 11:
      return Rank::make_library(byte >= 128);
    case 12:
      return repeat([&] { rank.allreduce(); });
    case 13:
      return repeat([&] { rank.broadcast(chosen); });
    case 14:
      return repeat([&] { rank.reduce(chosen); });
    default:
      return repeat([&] { rank.barrier(); });
  }
}

/// Of `chosen`, 0 to 7, from 4 on for ranks that share memory.
airamp::config::Settings algorithm_settings(unsigned chosen) {
  using airamp::ReductionOrder;
  using airamp::config::Force;
  airamp::config::Settings settings = airamp::pmpi::opted_in();
  switch (chosen) {
    case 1:
      settings.force = Force::mpi_two_shot;
      return settings;
    case 2:
      settings.force = Force::native_persistent;
      return settings;
    case 3:
      return {.reduction_order = ReductionOrder::fixed, .ranks_per_host = 1};
    case 4:
      settings.ranks_per_host = 0;
      return settings;
    case 5:
      return {.reduction_order = ReductionOrder::any, .force = Force::shared_memory};
    case 6:
      return {.reduction_order = ReductionOrder::any};
    case 7:
      return {.reduction_order = ReductionOrder::fixed};
    default:
      return settings;
  }
}

airamp::config::Settings settings_of(std::uint8_t byte) {
  airamp::config::Settings settings = algorithm_settings(byte % 4U + ((byte & 64U) != 0 ? 4U : 0U));
  settings.warmup_iterations = 1;
  settings.pola_post_receives = (byte & 4U) != 0;
  settings.pola_ask_along = (byte & 8U) == 0;
  return settings;
}

std::vector<airamp::testing::Failure> failures_of(std::uint8_t what, std::uint8_t where, int ranks) {
  constexpr std::array<const char*, 26> functions = {
      "Allreduce",      "Reduce",    "Bcast",     "Barrier",          "Allgather",     "Gather",
      "Scan",           "Scatter",   "Send_init", "Recv_init",        "Start",         "Wait",
      "Test",           "Send",      "Recv",      "Cancel",           "Request_free",  "Grequest_start",
      "Comm_split",     "Comm_dup",  "Comm_free", "Comm_delete_attr", "Comm_get_attr", "Comm_set_attr",
      "Allreduce_init", "Comm_group"};
  constexpr std::uint8_t least = 128;
  if (what < least) return {};
  return {{.function = functions[what % functions.size()], .rank = where % ranks, .call = 1 + where / 4}};
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 6;
  constexpr std::size_t most_calls = 64;
  if (size <= head) return 0;
  const std::vector<std::uint8_t> calls(data + head, data + std::min(size, head + most_calls));
  const std::uint8_t chosen = data[1];
  const int ranks = 2 + data[0] % 3;
  const bool returned = data[0] >= 128;
  const std::vector<airamp::testing::Failure> failures = failures_of(data[4], data[5], ranks);
  const Program program{.name = "fuzz",
                        .settings = settings_of(chosen),
                        .body =
                            [&](Rank& rank) {
                              if (!failures.empty()) keep_leaks();
                              if (returned) Rank::have_errors_returned();
                              if ((chosen & 32U) != 0) rank.review_often();
                              if ((chosen & 64U) != 0) rank.share_memory();
                              std::ranges::for_each(calls, [&](std::uint8_t byte) { call(rank, byte); });
                            },
                        .adjust = [&](airamp::config::Settings& settings,
                                      int rank) { settings.host_scratch *= (chosen & 16U) != 0 && rank == 1 ? 0 : 1; },
                        .shared_memory = (chosen & 64U) != 0,
                        .failures = failures};
  constexpr std::uint64_t long_step = 1000;  // microseconds, within which no rank is waited for
  constexpr std::uint64_t short_step = 4;
  airamp::testing::RandomScheduler scheduler(std::uint64_t{data[2]} << 8U | data[3], airamp::testing::Sends::either,
                                             (chosen & 128U) != 0 ? long_step : short_step);
  const std::string wrong = airamp::schedules::run(program, ranks, scheduler);
  airamp::fuzz::require(wrong.empty(), wrong.c_str());
  return 0;
}
