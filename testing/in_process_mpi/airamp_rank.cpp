// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "testing/in_process_mpi/airamp_rank.hpp"

#include "pmpi/group/job_channel.hpp"
#include "pmpi/group/shared_scratch.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/thread_level.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {

namespace {

/// Who waits in memory for this rank, which has left its calls behind with errors.
void let_others_go() {
  const auto revoke = [](void*, const std::string&, const pmpi::CommunicatorState& state) {
    if (state.resources.host.made != nullptr) state.resources.host.made->meeting().revoke();
  };
  pmpi::for_each_communicator_state(revoke, nullptr);
}

}  // namespace

AirampRank::AirampRank(const config::Settings& settings) {
  pmpi::Job& job = pmpi::job();
  job.several_threads = pmpi::several_threads_call_mpi();
  pmpi::native().Comm_rank(MPI_COMM_WORLD, &job.rank);
  pmpi::native().Comm_size(MPI_COMM_WORLD, &job.size);
  job.settings = settings;
  if (world().plan.shared_memory) job.ranks_on_host = job.max_ranks_on_host = job.size;
  pmpi::job_channel().open();
  pmpi::initialise_datatypes();
  pmpi::initialise_communicator_states();
  job.on = true;
  end_turns_at_clock(world().plan.shared_memory);
}

AirampRank::~AirampRank() {
  end_turns_at_clock(false);
  pmpi::job().on = false;
  if (world().turns.stopped()) let_others_go();
  pmpi::release_communicator_states();
  pmpi::release_shared_scratch();
  pmpi::job_channel().close();
  pmpi::release_datatypes();
}

}  // namespace airamp::testing
