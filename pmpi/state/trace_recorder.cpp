// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/trace_recorder.hpp"

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/quiet_write.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pola/trace_writer.hpp"
#include "telemetry/log.hpp"
#include "telemetry/segment/tick_clock.hpp"

namespace airamp::pmpi {
namespace {

struct Trace {
  std::string path;
  std::int64_t start = 0;  ///< nanoseconds of CLOCK_MONOTONIC
  pola::TraceWriter writer{base::quiet_write};
};

// Never destroyed: a child process that leaves by exit() must not write once more what its parent has buffered.
Trace* trace = nullptr;

std::int64_t now(clockid_t clock) { return static_cast<std::int64_t>(telemetry::clock_ns(clock)); }

void warn(const char* what, const std::string& path, const std::error_code& error) {
  telemetry::log(config::LogLevel::warn, what + path + ": " + error.message());
}

pola::TraceHeader header() {
  const Job& j = job();
  return {.rank = static_cast<std::uint32_t>(j.rank),
          .size = static_cast<std::uint32_t>(j.size),
          .start_unix_ns = now(CLOCK_REALTIME),
          .library = j.library_version,
          .program = program_invocation_short_name,
          .functions = {function_names.begin(), function_names.end()}};
}

/// The bytes of a call as far as MPI wants them equal on all ranks.
std::uint64_t equal_bytes(const CommunicatorState& state, Function function, std::uint64_t bytes) {
  const bool own = state.inter || function == Function::MPI_Allgatherv || function == Function::MPI_Allgatherv_c;
  return own ? 0 : bytes;
}

}  // namespace

bool start_trace(const std::string& folder) {
  auto started = std::make_unique<Trace>();
  started->path = (std::filesystem::path(folder) / ("rank-" + std::to_string(job().rank) + ".airtrace")).string();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    warn("no trace: ", folder, error);
    return false;
  }
  started->start = now(CLOCK_MONOTONIC);
  if (!started->writer.open(started->path.c_str(), header())) {
    warn("no trace: ", started->path, std::error_code(errno, std::generic_category()));
    return false;
  }
  trace = started.release();
  return true;
}

void record_trace(CommunicatorState& state, Function function, std::uint64_t bytes, std::uint64_t arguments,
                  std::int64_t entered, std::int64_t left) noexcept {
  if (!state.trace_number) {
    state.trace_number = trace->writer.add_communicator(
        {.size = static_cast<std::uint32_t>(state.size), .rank = static_cast<std::uint32_t>(state.rank)});
  }
  trace->writer.record({.communicator = *state.trace_number,
                        .function = static_cast<std::uint32_t>(function),
                        .bytes = equal_bytes(state, function, bytes),
                        .arguments = arguments,
                        .entered_ns = entered - trace->start,
                        .left_ns = left - trace->start});
}

void stop_trace() noexcept {
  if (trace == nullptr || trace->writer.close()) return;
  try {
    warn("the trace is not complete: ", trace->path, std::error_code(errno, std::generic_category()));
  } catch (const std::bad_alloc&) {  // a message is not worth the application's life
  }
}

}  // namespace airamp::pmpi
