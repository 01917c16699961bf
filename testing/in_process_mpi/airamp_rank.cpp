// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "testing/in_process_mpi/airamp_rank.hpp"

#include "pmpi/group/host/kept_host_groups.hpp"
#include "pmpi/group/host/unhurried_meeting.hpp"
#include "pmpi/group/job_channel.hpp"
#include "pmpi/group/shared_scratch.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/thread_level.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {

namespace {

/// Who waits in memory for this rank, which leaves its calls with errors.
void let_others_go() {
  const auto revoke = [](void*, const std::string&, const pmpi::CommunicatorState& state) {
    state.resources.revoke_meetings();
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
  at_first_call_after_end(let_others_go);
}

AirampRank::~AirampRank() {
  end_turns_at_clock(false);
  at_first_call_after_end(nullptr);
  pmpi::job().on = false;
  const bool stopped = world().turns.stopped();
  if (stopped) let_others_go();
  pmpi::release_communicator_states();
  pmpi::release_kept_host_groups();
  if (!stopped) pmpi::UnhurriedMeeting::end_broadcasts();
  pmpi::release_shared_scratch();
  pmpi::job_channel().close();
  pmpi::release_datatypes();
}

}  // namespace airamp::testing
