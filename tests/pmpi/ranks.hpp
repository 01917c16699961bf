// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "config/settings.hpp"
#include "pmpi/call/allreduce_call.hpp"
#include "pmpi/call/movements/allgather_call.hpp"
#include "pmpi/decide/decide.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "testing/in_process_mpi/airamp_rank.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"

namespace airamp::pmpi {

using ::airamp::testing::AirampRank;
using ::airamp::testing::Outcome;
using ::airamp::testing::Plan;
using ::airamp::testing::run_ranks;

/// Settings under which small messages of float32 may be compressed.
inline config::Settings opted_in() {
  return {.enable_fp8_allreduce = true,
          .enable_fp8_allgather = true,
          .lossy_types = config::lossy_float16 | config::lossy_bfloat16 | config::lossy_float32,
          .min_bytes = 1024};
}

/// Numbers of one rank, of different sizes.
inline std::vector<float> contribution(int rank, std::size_t elements) {
  std::mt19937 random(static_cast<unsigned>(rank) + 1);
  std::normal_distribution<float> normal;
  std::vector<float> values(elements);
  for (std::size_t i = 0; i < elements; ++i) values[i] = normal(random) * (i / 100 % 2 == 0 ? 1.0F : 30.0F);
  return values;
}

/// The facts of a compressed call on host memory.
inline LocalFacts compressed_facts(std::size_t elements, ReduceOp op = ReduceOp::sum) {
  return {.lossy = true, .type = DataType::float32, .op = op, .bytes = elements * sizeof(float)};
}

/// MPI_Allreduce of float32 sums in place, as the application's call comes to AIRamp.
inline int allreduce(std::vector<float>& values, MPI_Comm comm = MPI_COMM_WORLD) {
  const AllreduceCall call(MPI_IN_PLACE, values.data(), static_cast<MPI_Count>(values.size()), MPI_FLOAT, MPI_SUM, comm,
                           false);
  CommunicatorState* const state = communicator_state(comm);
  return state != nullptr ? accelerate(call, {.state = state, .no_compression = Reason::none}, call.bytes())
                          : MPI_ERR_NO_MEM;
}

/// Makes calls that all wait for, until the ranks meet in the memory of their host.
inline void come_to_meet() {
  CommunicatorState& state = *communicator_state(MPI_COMM_WORLD);
  state.calls_for_shared_memory = 1000;  // as behind so many
  std::vector<float> values(2);
  constexpr int enough = 20;
  for (int call = 0; call < enough && state.resources.meeting() == nullptr; ++call) allreduce(values);
  ASSERT_NE(state.resources.meeting(), nullptr);
}

/// The state of the only signature of a communicator; nullptr if there is none.
inline SignatureState* only_signature(MPI_Comm comm = MPI_COMM_WORLD) {
  CommunicatorState* const state = find_communicator_state(comm);
  return state != nullptr && state->signatures.size() == 1 ? &state->signatures.begin()->second : nullptr;
}

inline std::vector<std::byte> bits_of(const std::vector<float>& values) {
  std::vector<std::byte> bits(values.size() * sizeof(float));
  std::memcpy(bits.data(), values.data(), bits.size());
  return bits;
}

}  // namespace airamp::pmpi
