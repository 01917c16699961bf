// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/handshake.hpp"

#include <unistd.h>

#include <array>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "gpu/location.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "pmpi/version.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

using config::LogLevel;

/// Waits for a nonblocking collective of the handshake, and says so if it takes long.
bool wait_aloud(MPI_Request& request, double warning_seconds) {
  const Stopwatch watch;
  bool warned = false;
  for (int done = 0; done == 0;) {
    if (native().MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done == 0 && !warned && watch.seconds() >= warning_seconds) {
      warned = true;
      telemetry::log(
          LogLevel::warn,
          "still waiting in MPI_Init for the other ranks' AIRamp: is AIRamp loaded in every rank of the job? "
          "(mpirun -x LD_PRELOAD=..., or \"airamp exec\" before every program)");
    }
  }
  return true;
}

template <std::size_t N>
bool minimum(std::array<int, N>& values, double warning_seconds) {
  std::array<int, N> result{};
  MPI_Request request = MPI_REQUEST_NULL;
  if (native().MPI_Iallreduce(values.data(), result.data(), static_cast<int>(N), MPI_INT, MPI_MIN, MPI_COMM_WORLD,
                              &request) != MPI_SUCCESS) {
    return false;
  }
  if (!wait_aloud(request, warning_seconds)) return false;
  values = result;
  return true;
}

std::uint32_t fnv1a(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

/// Rank 0's text on all ranks; empty if MPI failed.
std::string broadcast(std::string text) {
  int length = static_cast<int>(text.size());
  if (native().MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return {};
  text.resize(static_cast<std::size_t>(length));
  if (native().MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return {};
  return text;
}

/// What this process would call its job: the resource manager's or the launcher's name, else one of its own.
std::string own_job_name() {
  const auto environment = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string own = std::to_string(std::time(nullptr)) + "-" + std::to_string(getpid());
  const std::string job = environment("SLURM_JOB_ID");
  return job.empty() ? own : "slurm-" + job + "-" + own;
}

Handshake off(std::string why) { return {.why_off = std::move(why)}; }

}  // namespace

Handshake shake_hands(const config::Loaded& own, int rank) {
  const double patience = own.errors.empty() ? own.settings.handshake_warning_seconds : 30.0;
  const int version = static_cast<int>(fnv1a(release_version) & INT_MAX);
  const bool healthy = own.errors.empty();
  // smallest rank with a faulty configuration; smallest and largest version
  // and whether no host has a GPU
  std::array<int, 4> common = {healthy ? INT_MAX : rank, version, -version, gpu::host_has_gpu() ? 0 : 1};
  if (!minimum(common, patience)) return off("the handshake in MPI_Init failed");
  if (common[1] != -common[2])
    return off("the ranks have different versions of AIRamp, or it is not loaded in all of them");
  if (common[0] != INT_MAX) return off("the configuration of rank " + std::to_string(common[0]) + " has errors");

  const std::string own_text = config::to_text(own.settings);
  const std::string text = broadcast(own_text);
  const config::Loaded jobs = config::parse_text(text, "rank 0's settings");
  std::array<int, 1> differing = {text == own_text ? INT_MAX : rank};
  if (!minimum(differing, patience)) return off("the handshake in MPI_Init failed");
  if (rank == 0 && differing[0] != INT_MAX) {
    telemetry::log(LogLevel::warn, "rank " + std::to_string(differing[0]) +
                                       " (the first of those) has other AIRamp settings than rank 0: rank 0's are used "
                                       "by all ranks");
  }
  if (!jobs.errors.empty()) return off("rank 0's settings did not arrive whole: " + jobs.errors.front());
  if (jobs.settings.disable) return {.settings = jobs.settings, .why_off = "disabled by the settings"};
  const config::Detection told = jobs.settings.gpu;
  const bool gpus = told == config::Detection::yes || (told == config::Detection::detect && common[3] == 0);
  return {.on = true, .gpus = gpus, .settings = jobs.settings, .job_name = broadcast(own_job_name())};
}

}  // namespace airamp::pmpi
