// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "measurement.hpp"
#include "options.hpp"

namespace airamp::benchmark {

/// What the head of the table and the JSON file say about the run.
struct RunInfo {
  int ranks = 0;
  std::string mpi_library;     ///< first line of MPI_Get_library_version
  std::string airamp_version;  ///< empty if AIRamp is not loaded
  std::string nccl_version;    ///< empty if NCCL is not compared with
};

/// Says on stdout which AIRamp is measured, if any.
void print_airamp(const RunInfo& info);

/// Writes a file anew. Returns false if it cannot be written.
bool write_file(const std::string& name, const std::string& text);

/// Prints the table's head to stdout.
void print_head(const Options& options, const RunInfo& info);

/// Prints one row to stdout.
void print_row(const Options& options, const RunInfo& info, const Row& row);

/// Writes the rows as JSON. Times in seconds, bandwidths in GB/s; an error that is not finite is null. Returns false if
/// the file cannot be written.
bool write_json(const Options& options, const RunInfo& info, const std::vector<Row>& rows);

}  // namespace airamp::benchmark
