// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/publishing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <string>

#include "codec/floating_point_scope.hpp"
#include "pmpi/job/communicator_key.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/functions.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/state/report_data.hpp"
#include "pmpi/version.hpp"
#include "telemetry/log.hpp"
#include "telemetry/segment/layout.hpp"

namespace airamp::pmpi {

static_assert(function_count <= telemetry::layout::functions, "a segment has room for the name of every function");
namespace {

using telemetry::PolaState;

using PathNames = std::array<std::string_view, algorithm_count + 1>;

/// By their published numbers.
const PathNames& path_names() {
  static const PathNames names = [] {
    PathNames made{"native"};
    for (std::size_t i = 0; i < algorithm_count; ++i)
      made[published_path(static_cast<AlgorithmId>(i))] = to_string(static_cast<AlgorithmId>(i));
    return made;
  }();
  return names;
}

constexpr std::string_view architecture =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#else
    "other";
#endif

PolaState published(pola::Stream::State state) {
  switch (state) {
    case pola::Stream::State::locked:
      return PolaState::locked;
    case pola::Stream::State::broken:
      return PolaState::broken;
    case pola::Stream::State::learning:
      break;
  }
  return PolaState::learning;
}

}  // namespace

bool start_publishing() {
  const Job& j = job();
  if (!j.settings.telemetry) return false;
  const telemetry::Identity identity{.rank = j.rank,
                                     .size = j.size,
                                     .version = release_version,
                                     .mpi = j.library_version,
                                     .architecture = architecture,
                                     .several_threads = j.several_threads,
                                     .functions = function_names,
                                     .paths = path_names()};
  telemetry::SegmentWriter::OpenResult opened =
      telemetry::SegmentWriter::open(j.settings.telemetry_folder, j.name, identity);
  if (!opened.writer.publishes()) {
    telemetry::log(config::LogLevel::info, "nothing is published for airampd and airamp status: " + opened.why_off);
    return false;
  }
  publisher() = std::move(opened.writer);
  publisher().set_on(true, "");
  publisher().refresh_clock();
  return true;
}

void publish_communicator(MPI_Comm comm, CommunicatorState& state) noexcept {
  try {
    const std::uint64_t key = communicator_key(comm, state.inter);
    std::array<char, MPI_MAX_OBJECT_NAME + 1> name{};
    int length = 0;
    native().Comm_get_name(comm, name.data(), &length);
    state.published = publisher().add_communicator(key, name.data(), state.size, state.rank);
  } catch (const std::exception&) {
    // without memory for its key the communicator shares the entry of those that found no room
  }
}

void publish_decision(const CommunicatorState& state, const SignatureKey& key, const SignatureState& signature) {
  if (!publisher().publishes()) return;
  const codec::FloatingPointScope scope;  // of figures that are not known
  const telemetry::Report::Signature row = describe("", key, signature);
  const auto path = std::find(path_names().begin(), path_names().end(), row.path) - path_names().begin();
  publisher().set_decision(state.published, {.function = static_cast<std::uint16_t>(function_of(key.kind)),
                                             .size_bucket = static_cast<std::uint8_t>(key.bucket),
                                             .path = static_cast<std::uint16_t>(path),
                                             .element = row.element,
                                             .op = row.op,
                                             .state = row.state,
                                             .reason = row.reason,
                                             .why = row.why,
                                             .speedup = row.speedup,
                                             .relative_error = row.relative_error,
                                             .native_seconds = row.native_median_seconds,
                                             .airamp_seconds = row.airamp_median_seconds});
}

void publish_pattern(const CommunicatorState& state) noexcept {
  const pola::Stream::Counters& counters = state.pola.counters();
  publisher().set_pola(state.published, {.state = published(state.pola.state()),
                                         .period = state.pola.period(),
                                         .events = counters.events,
                                         .hits = counters.hits,
                                         .misses = counters.misses});
}

}  // namespace airamp::pmpi
