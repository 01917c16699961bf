// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// neighbours CASE [--limit SECONDS]: what an application does with its GPUs beside MPI, one sub-test a run; neighbours
// --list names them. What is wrong is said by the rank that finds it. The last line of rank 0 says how it ended, with
// the figures that were taken; no figure fails a test. Exit status 77 if the sub-test cannot run here.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mpitests/real_device/device.hpp"
#include "mpitests/real_device/neighbours/cases.hpp"
#include "mpitests/real_device/neighbours/deadline.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr Case cases[] = {
    {"sums", sums},
    {"bcast-lengths", bcast_lengths},
    {"persistent-kernel", persistent_kernel},
    {"long-kernel", long_kernel},
    {"waves", waves},
    {"late-peer", late_peer},
    {"capture", capture},
    {"capture-first-call", capture_first_call},
    {"reset-before-finalize", reset_before_finalize},
    {"reset-before-comm-free", reset_before_comm_free},
    {"reset-midway", reset_midway},
    {"kinds-of-memory", kinds_of_memory},
    {"imported-memory", imported_memory, {.peers = true}},
    {"mapped-memory", mapped_memory},
    {"other-device", other_device, {.devices = 2}},
    {"several-devices", several_devices, {.devices = 2}},
    {"peer-access", peer_access, {.devices = 2, .peers = true}},
    {"default-stream", default_stream},
    {"default-stream-of-thread", default_stream_of_thread},
    {"started-beside-kernel", started_beside_kernel},
    {"fork", fork_after_init},
    {"device-limits", device_limits},
    {"killed-rank", killed_rank},
};

bool reaches_peers(const Job& job) {
  for (int step = 1; step < job.devices; ++step) {
    int reaches = 0;
    require(cudaDeviceCanAccessPeer(&reaches, job.device, (job.device + step) % job.devices),
            "cudaDeviceCanAccessPeer");
    if (reaches == 0) return false;
  }
  return true;
}

// This rank's Job; false on all ranks, after rank 0 has said why, if the case cannot run here. Collective.
bool prepare(const Case& sub_test, Job& job) {
  if (!use_device()) return false;
  require(cudaGetDevice(&job.device), "cudaGetDevice");
  require(cudaGetDeviceCount(&job.devices), "cudaGetDeviceCount");
  const Needs& needs = sub_test.needs;
  std::string lacking;
  if (job.devices < needs.devices) lacking = std::to_string(needs.devices) + " GPUs";
  if (needs.peers && !reaches_peers(job)) lacking = "GPUs that reach each other";
  const bool skips = any_mistake(lacking);
  if (skips && job.rank == 0) std::printf("skipped: it takes %s\n", lacking.empty() ? "more" : lacking.c_str());
  return !skips;
}

int run(const Case& sub_test, std::chrono::seconds limit) {
  Job job;
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
  const std::string name(sub_test.name);
  const Deadline deadline(name, job.rank, limit);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int finalized = 0;
  int status = skipped;
  if (prepare(sub_test, job)) {
    const Outcome outcome = sub_test.run(job);
    bool right = outcome.mistake.empty();
    status = right ? 0 : 1;
    if (!right) std::printf("wrong: %s, rank %d: %s\n", name.c_str(), job.rank, outcome.mistake.c_str());
    std::fflush(stdout);
    MPI_Finalized(&finalized);
    if (finalized == 0) right = !any_mistake(outcome.mistake);
    if (job.rank == 0) {
      std::printf("neighbours: %s, %d ranks, %s%s%s\n", name.c_str(), job.ranks, right ? "right" : "WRONG",
                  outcome.figures.empty() ? "" : "; ", outcome.figures.c_str());
    }
    std::fflush(stdout);
  }
  Deadline::doing("MPI_Finalize");
  if (finalized == 0) MPI_Finalize();
  return status;
}

int list() {
  for (const Case& each : cases) std::printf("%.*s\n", static_cast<int>(each.name.size()), each.name.data());
  return 0;
}

}  // namespace

bool any_mistake(const std::string& mistake) {
  int wrong = mistake.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return wrong != 0;
}

}  // namespace airamp::gpu_tests

int main(int argc, char** argv) {
  using namespace airamp::gpu_tests;
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "--list") return list();
  const auto* const sub_test =
      std::find_if(std::begin(cases), std::end(cases), [=](const Case& each) { return each.name == name; });
  if (sub_test == std::end(cases)) {
    std::fprintf(stderr, "neighbours: name one of the sub-tests that neighbours --list prints\n");
    return 2;
  }
  std::chrono::seconds limit(20);
  if (argc > 3 && std::strcmp(argv[2], "--limit") == 0) limit = std::chrono::seconds(std::atoi(argv[3]));
  // Before anybody's first message: docs/gpu.md, "Limits", says what Open MPI 5.0.7 does else with memory of a pool.
  int devices = 0;
  cudaGetDeviceCount(&devices);
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  return run(*sub_test, limit);
}
