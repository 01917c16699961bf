// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/communicator_state.hpp"
#include "pmpi/path.hpp"
#include "telemetry/segment/segment_writer.hpp"

namespace airamp::pmpi {

/// A writer that is there before the first call and is never destroyed: a program that ends without MPI_Finalize leaves
/// its segment as it is.
union LastingWriter {
  constexpr LastingWriter() noexcept : writer() {}
  ~LastingWriter() {}  // NOLINT(modernize-use-equals-default): the default is deleted, for the writer has a destructor
  telemetry::SegmentWriter writer;
};
extern LastingWriter lasting_writer;

/// What this rank tells airampd, `airamp status` and `airamp hang`. Does nothing before `start_publishing`.
inline telemetry::SegmentWriter& publisher() noexcept { return lasting_writer.writer; }

/// Opens this rank's segment, as the job's settings want. Trouble is one line in the log, and nothing published.
/// Whether something is. May throw std::bad_alloc.
bool start_publishing();

/// Enters a communicator. Once per state.
void publish_communicator(MPI_Comm comm, CommunicatorState& state) noexcept;

/// Says what the tuner knows of a signature by now.
void publish_decision(const CommunicatorState& state, const SignatureKey& key, const SignatureState& signature);

/// Says what PoLA knows by now.
void publish_pattern(const CommunicatorState& state) noexcept;

/// The number of a path among the published names; 0 is native.
constexpr std::uint16_t published_path(Path path) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(path) + 1);
}

}  // namespace airamp::pmpi
