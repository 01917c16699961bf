// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "testing/in_process_mpi/airamp_rank.hpp"

#include "pmpi/group/job_channel.hpp"
#include "pmpi/group/shared_scratch.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/thread_level.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::testing {

AirampRank::AirampRank(const config::Settings& settings) {
  pmpi::Job& job = pmpi::job();
  job.several_threads = pmpi::several_threads_call_mpi();
  pmpi::native().Comm_rank(MPI_COMM_WORLD, &job.rank);
  pmpi::native().Comm_size(MPI_COMM_WORLD, &job.size);
  job.settings = settings;
  pmpi::job_channel().open();
  pmpi::initialise_datatypes();
  pmpi::initialise_communicator_states();
  job.on = true;
}

AirampRank::~AirampRank() {
  pmpi::job().on = false;
  pmpi::release_communicator_states();
  pmpi::release_shared_scratch();
  pmpi::job_channel().close();
  pmpi::release_datatypes();
}

}  // namespace airamp::testing
