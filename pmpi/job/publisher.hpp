// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "telemetry/segment/writer/segment_writer.hpp"

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

}  // namespace airamp::pmpi
