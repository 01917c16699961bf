// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/lifecycle.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>

#include "codec/floating_point_scope.hpp"
#include "config/load.hpp"
#include "core/shared_memory_for_others.hpp"
#include "pmpi/device/ghost_kernels.hpp"
#include "pmpi/device/gpu_device.hpp"
#include "pmpi/entry/native_track.hpp"
#include "pmpi/group/host/kept_host_groups.hpp"
#include "pmpi/group/host/unhurried_meeting.hpp"
#include "pmpi/group/job_channel.hpp"
#include "pmpi/group/memory/shared_file.hpp"
#include "pmpi/group/shared_scratch.hpp"
#include "pmpi/group/started/peer_starts.hpp"
#include "pmpi/job/binary_interface.hpp"
#include "pmpi/job/gpu_awareness.hpp"
#include "pmpi/job/handshake.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/job/refused_aliases.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/mpi/spin.hpp"
#include "pmpi/mpi/thread_level.hpp"
#include "pmpi/state/call_sites/call_sites.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/state/publishing.hpp"
#include "pmpi/state/rank_costs.hpp"
#include "pmpi/state/report_data.hpp"
#include "pmpi/state/trace_recorder.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "telemetry/log.hpp"
#include "telemetry/report.hpp"

namespace airamp::pmpi {
namespace {

/// Whether so many ranks have a core each, as far as one of them sees: of those that may run on several, not where
/// there are fewer of these.
bool has_core_per_rank(int ranks_on_host) {
  cpu_set_t own;
  CPU_ZERO(&own);
  const int cores = sched_getaffinity(0, sizeof(own), &own) == 0 ? CPU_COUNT(&own) : 0;
  return ranks_on_host <= sysconf(_SC_NPROCESSORS_ONLN) && (cores == 1 || ranks_on_host <= cores);
}

using config::LogLevel;

std::string library_version() {
  // As much as any library writes, and not what the one that we were built for does: this may be another.
  constexpr std::size_t max_bytes = 8192;
  static_assert(max_bytes >= MPI_MAX_LIBRARY_VERSION_STRING);
  std::array<char, max_bytes + 1> text{};
  int length = 0;
  if (native().Get_library_version(text.data(), &length) != MPI_SUCCESS) return "unknown MPI library";
  std::string version(text.data());
  version.resize(std::min(version.find('\n'), version.size()));  // MPICH goes on with its configure line
  std::replace(version.begin(), version.end(), '\t', ' ');
  return version;
}

/// The report file as seen from here: the application may change its directory before the end.
std::string absolute_report(const std::string& report) {
  if (report.empty() || report == "stderr") return report;
  std::error_code error;
  const auto path = std::filesystem::absolute(report, error);
  return error ? report : path.string();
}

void leave_calls_alone() {
  if (const auto leave = step_aside.load(); leave != nullptr) leave();
}

/// Whether the program is of the binary interface that AIRamp was compiled for. If not, says so and gets out of its
/// way.
bool understands_program() {
  Job& j = job();
  j.library_version = library_version();
  const BinaryInterface interface = interface_of_library(j.library_version);
  if (interface == own_interface) return true;
  leave_calls_alone();
  const std::string own(to_string(own_interface));
  j.why_off = "built for " + own;
  std::string message = "AIRamp is off: this libairamp.so was built for " + own + ", but the program for ";
  message.append(to_string(interface)).append(" (").append(j.library_version).append("). ");
  message += interface == BinaryInterface::standard
                 ? "For that there is none: compile the program with mpicc, not mpicc_abi"
                 : "Preload the one that was built for it";
  telemetry::log(LogLevel::error, message);
  return false;
}

/// AIRamp is off on all ranks: calls are counted for a report, if one is wanted, and else left alone.
void stay_off(LogLevel level) {
  const Job& j = job();
  if (j.rank == 0) telemetry::log(level, "AIRamp is off for this job: " + j.why_off);
  if (j.report_file.empty()) leave_calls_alone();
}

void start_or_throw() {
  Job& j = job();
  j.several_threads = several_threads_call_mpi();
  j.since_start = {};
  j.started = std::time(nullptr);
  native().Comm_rank(MPI_COMM_WORLD, &j.rank);
  native().Comm_size(MPI_COMM_WORLD, &j.size);
  telemetry::set_log_rank(j.rank);

  const config::Loaded own = config::load(config::process_environment());
  for (const std::string& error : own.errors) telemetry::log(LogLevel::error, error);
  const Handshake handshake = shake_hands(own, j.rank);
  j.settings = handshake.settings;
  j.why_off = handshake.why_off;
  telemetry::set_log_level(j.settings.log_level);
  j.report_file = absolute_report(j.settings.report);
  if (const auto pass = pass_tests.load(); pass != nullptr && j.report_file.empty()) pass();
  if (!handshake.on) return stay_off(j.settings.disable ? LogLevel::info : LogLevel::warn);
  j.name = handshake.job_name;
  j.gpus = handshake.gpus;
  j.copies_gpu_buffers = j.gpus && !library_takes_gpu_buffers();
  j.copies_started_gpu_buffers = j.gpus && !library_takes_started_gpu_buffers();
  const Result<bool> opened = agree_on_success(MPI_COMM_WORLD, job_channel().open() == MPI_SUCCESS);
  if (!opened.ok() || !*opened) {
    j.why_off = "MPI_COMM_WORLD could not be duplicated";
    return stay_off(LogLevel::warn);
  }
  const int ranks_on_host = std::max(1, job_channel().ranks_on_host());
  const Result<int> fewest = agree_on_least(MPI_COMM_WORLD, -ranks_on_host);
  j.ranks_on_host = ranks_on_host;
  shared_file::leave_room(shared_memory_of_messages(j.library_version, ranks_on_host), ranks_on_host);
  Spin::set_own_core(has_core_per_rank(ranks_on_host));
  j.max_ranks_on_host = fewest.ok() ? -*fewest : 1;
  if (const int emulated = j.settings.ranks_per_host; emulated > 0)
    j.max_ranks_on_host = std::min(j.max_ranks_on_host, emulated);
  initialise_datatypes();
  static_cast<void>(*native_tracks);  // no call is to make them
  j.refused_aliases = ask_for_refused_aliases();
  initialise_communicator_states();
  j.on.store(true, std::memory_order_release);
  const bool traced = !j.settings.trace.empty() && start_trace(j.settings.trace);
  const bool published = start_publishing();
  const bool sites = published && j.rank == 0 && j.settings.call_sites > 0;
  if (sites) call_sites = new CallSites(j.settings.call_sites);
  ObservedCall::set_observers((traced ? ObservedCall::trace : 0U) | (published ? ObservedCall::publication : 0U) |
                              (sites ? ObservedCall::sites : 0U));
  if (j.rank == 0) telemetry::log(LogLevel::info, "AIRamp is on, with " + j.library_version);
}

int copy_nothing(MPI_Comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

int on_delete_of_self(MPI_Comm, int, void*, void*) {
  stop();
  return MPI_SUCCESS;
}

/// MPI_Finalize begins with the delete callbacks of MPI_COMM_SELF (MPI-4.1, 11.2.4), the attribute set first being the
/// last: that is this one.
bool stop_in_finalize() {
  int keyval = MPI_KEYVAL_INVALID;
  const Native& mpi = native();
  if (mpi.Comm_create_keyval(copy_nothing, on_delete_of_self, &keyval, nullptr) != MPI_SUCCESS) return false;
  const bool set = mpi.Comm_set_attr(MPI_COMM_SELF, keyval, nullptr) == MPI_SUCCESS;
  mpi.Comm_free_keyval(&keyval);  // it lives as long as the attribute
  return set;
}

/// Whether MPI_Init has come, and whether MPI_Finalize tells us by itself when to stop.
struct Progress {
  std::atomic<bool> started{false};
  bool understood = false;
  bool told_to_stop = false;
};
constinit ProcessWide<Progress> progress;

/// While alive, errors on MPI_COMM_WORLD are returned: those of what AIRamp does there are none of the application's.
class ReturnedErrors {
 public:
  ReturnedErrors() {
    if (native().Comm_get_errhandler(MPI_COMM_WORLD, &before_) != MPI_SUCCESS) return;
    native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  ~ReturnedErrors() {
    if (before_ == MPI_ERRHANDLER_NULL) return;
    native().Comm_set_errhandler(MPI_COMM_WORLD, before_);
    native().Errhandler_free(&before_);
  }
  ReturnedErrors(const ReturnedErrors&) = delete;
  ReturnedErrors& operator=(const ReturnedErrors&) = delete;

 private:
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

/// Whether no rank of MPI_COMM_WORLD has died. The same on all ranks: where an MPI library survives that, its agreement
/// says so. (MPICH has the function, but some of its devices stop the program there.)
bool all_have_come() {
  int flag = 1;
  const auto agree = own_interface == BinaryInterface::open_mpi ? native().MPIX_Comm_agree : nullptr;
  return agree == nullptr || agree(MPI_COMM_WORLD, &flag) == MPI_SUCCESS;
}

}  // namespace

bool stops_in_finalize() noexcept { return progress->told_to_stop; }

void start() noexcept {
  if (progress->started.exchange(true)) return;
  const codec::FloatingPointScope scope;
  try {
    progress->understood = understands_program();
    if (!progress->understood) return;
    progress->told_to_stop = stop_in_finalize();
    start_or_throw();
  } catch (const std::exception& error) {
    telemetry::log(LogLevel::error, error.what());
  }
}

void stop() noexcept {
  if (!progress->understood) return;
  const codec::FloatingPointScope scope;
  Job& j = job();
  const ReturnedErrors returned_errors;
  const bool complete = j.on && all_have_come();
  try {
    const RankCosts costs = complete && !j.report_file.empty() ? gather_rank_costs() : RankCosts{};
    if (j.rank == 0 && !j.report_file.empty()) {
      const telemetry::Report report = make_report(costs);
      const std::string problem = telemetry::write_report(report, j.report_file);
      if (!problem.empty()) telemetry::log(LogLevel::error, "the report could not be written: " + problem);
    }
  } catch (const std::exception& error) {
    telemetry::log(LogLevel::error, error.what());
  }
  if (!j.on.exchange(false)) return;
  ObservedCall::set_observers(0);
  stop_trace();
  ghost_kernels().stop();
  publisher().finalize();
  release_communicator_states();
  release_kept_host_groups();
  UnhurriedMeeting::release_kept();
  if (complete) UnhurriedMeeting::end_broadcasts();
  release_shared_scratch();
  job_channel().close();
  unmap_gpu_peers();
  release_datatypes();
  // MPICH over UCX closes its connections in MPI_Finalize and can wait for ever for the answer of a rank that has left
  // already (seen with MPICH 4.0.2 on TCP after our many small messages, as natively with more ranks): leave together,
  // in every job, as a rank does not know on which communicators of others the key airamp_compress has led to messages.
  // Nor may GPU memory that other processes have mapped be freed before they have let go of it.
  if (complete) native().MPI_Barrier(MPI_COMM_WORLD);
  if (complete) PeerStarts::release_all();
  release_gpu_devices();
}

}  // namespace airamp::pmpi
