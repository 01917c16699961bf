// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace airamp::benchmark {
namespace {

const char* operation_name(const Options& options) { return options.reduces() ? to_string(options.operation) : "none"; }

// Else there is nothing to compare: every rank has a block of its own, or one rank a result.
bool shares_result(const Options& options) {
  return options.collective != Collective::reduce_scatter_block && options.collective < Collective::reduce;
}

struct Bandwidths {
  double algorithm;
  double bus;
};

Bandwidths bandwidths(const Options& options, const RunInfo& info, const Row& row, const Timing& timing) {
  return {algorithm_bandwidth(options.collective, row.bytes, info.ranks, timing.seconds),
          bus_bandwidth(options.collective, row.bytes, info.ranks, timing.seconds)};
}

void print_timing(const Options& options, const RunInfo& info, const Row& row, const Timing& timing) {
  const Bandwidths bandwidth = bandwidths(options, info, row, timing);
  std::printf("| %10.1f %7.3f %7.3f ", timing.seconds * 1e6, bandwidth.algorithm, bandwidth.bus);
}

nlohmann::json to_json(const Options& options, const RunInfo& info, const Row& row, const Timing& timing) {
  const Bandwidths bandwidth = bandwidths(options, info, row, timing);
  nlohmann::json result{
      {"seconds", timing.seconds}, {"algorithm_bandwidth", bandwidth.algorithm}, {"bus_bandwidth", bandwidth.bus}};
  if (options.check) {
    result["error"] = timing.error;
    if (shares_result(options)) result["same_bits"] = timing.same_bits;
  }
  return result;
}

nlohmann::json to_json(const Options& options, const RunInfo& info, const Row& row) {
  nlohmann::json result{{"bytes", row.bytes},
                        {"count", row.count},
                        {"iterations", row.iterations},
                        {"airamp", to_json(options, info, row, row.airamp)}};
  if (row.native) {
    result["native"] = to_json(options, info, row, *row.native);
    result["ratio"] = row.native->seconds / row.airamp.seconds;
  }
  if (row.nccl) {
    result["nccl"] = to_json(options, info, row, *row.nccl);
    result["nccl_ratio"] = row.nccl->seconds / row.airamp.seconds;
  }
  if (row.nccl_symmetric) {
    result["nccl_symmetric"] = to_json(options, info, row, *row.nccl_symmetric);
    result["nccl_symmetric_ratio"] = row.nccl_symmetric->seconds / row.airamp.seconds;
  }
  return result;
}

// One line of the head; the words are those of the table's parts.
void print_head_line(const Options& options, const char* const (&first)[4], const char* const (&native)[3],
                     const char* const (&airamp)[4], const char* const (&nccl)[3], const char* const (&symmetric)[3],
                     const char* const (&last)[4]) {
  std::printf("#%11s %11s %9s %5s ", first[0], first[1], first[2], first[3]);
  if (options.native) std::printf("| %10s %7s %7s ", native[0], native[1], native[2]);
  std::printf("| %10s %7s %7s %9s ", airamp[0], airamp[1], airamp[2], airamp[3]);
  if (options.nccl) std::printf("| %10s %7s %7s ", nccl[0], nccl[1], nccl[2]);
  if (options.nccl_symmetric) std::printf("| %10s %7s %7s ", symmetric[0], symmetric[1], symmetric[2]);
  std::printf("|");
  if (options.native) std::printf(" %6s", last[0]);
  if (options.nccl) std::printf(" %6s", last[1]);
  if (options.nccl_symmetric) std::printf(" %6s", last[2]);
  std::printf(" %5s\n", last[3]);
}

}  // namespace

void print_airamp(const RunInfo& info) {
  if (info.airamp_version.empty()) {
    std::printf("# AIRamp is not loaded: its calls are native\n");
  } else {
    std::printf("# AIRamp %s\n", info.airamp_version.c_str());
  }
}

bool write_file(const std::string& name, const std::string& text) {
  std::ofstream file(name);
  file << text;
  file.close();
  return file.good();
}

void print_head(const Options& options, const RunInfo& info) {
  std::printf("# %s, %d ranks, %s memory%s, %s\n", to_string(options.collective), info.ranks, to_string(options.memory),
              options.in_place ? ", in place" : "", info.mpi_library.c_str());
  print_airamp(info);
  if (options.nccl) std::printf("# NCCL %s\n", info.nccl_version.c_str());
  std::printf("# medians of %s%d calls each, slowest rank; bandwidths in GB/s; error: relative L2 against FP64\n",
              options.budget_ms == 0 ? "" : "up to ", options.iterations);
  if (options.nccl_symmetric) std::printf("# NCCL sym.: NCCL on symmetric windows; none here before NCCL 2.27\n");
  if (options.nccl) {
    std::printf("# ratios: %stime of NCCL / time of AIRamp\n",
                options.native ? "time of native / time of AIRamp, " : "");
  }
  print_head_line(options, {"", "", "", ""}, {"native", "", ""}, {"AIRamp", "", "", ""}, {"NCCL", "", ""},
                  {"NCCL sym.", "", ""}, {options.nccl ? "native" : "", "NCCL", "sym.", "same"});
  print_head_line(options, {"size(B)", "count", "type", "op"}, {"time(us)", "algbw", "busbw"},
                  {"time(us)", "algbw", "busbw", "error"}, {"time(us)", "algbw", "busbw"},
                  {"time(us)", "algbw", "busbw"}, {"ratio", "ratio", "ratio", "bits"});
  std::fflush(stdout);
}

void print_row(const Options& options, const RunInfo& info, const Row& row) {
  std::printf(" %11zu %11zu %9s %5s ", row.bytes, row.count, to_string(options.type), operation_name(options));
  if (row.native) print_timing(options, info, row, *row.native);
  print_timing(options, info, row, row.airamp);
  if (options.check) {
    std::printf("%9.2e ", row.airamp.error);
  } else {
    std::printf("%9s ", "-");
  }
  if (row.nccl) print_timing(options, info, row, *row.nccl);
  if (row.nccl_symmetric) {
    print_timing(options, info, row, *row.nccl_symmetric);
  } else if (options.nccl_symmetric) {
    std::printf("| %10s %7s %7s ", "none here", "-", "-");
  }
  std::printf("|");
  if (row.native) std::printf(" %6.2f", row.native->seconds / row.airamp.seconds);
  if (row.nccl) std::printf(" %6.2f", row.nccl->seconds / row.airamp.seconds);
  if (row.nccl_symmetric) {
    std::printf(" %6.2f", row.nccl_symmetric->seconds / row.airamp.seconds);
  } else if (options.nccl_symmetric) {
    std::printf(" %6s", "-");
  }
  const char* same = row.airamp.same_bits ? "yes" : "no";
  std::printf(" %5s\n", options.check && shares_result(options) ? same : "-");
  std::fflush(stdout);
}

bool write_json(const Options& options, const RunInfo& info, const std::vector<Row>& rows) {
  nlohmann::json document{{"collective", to_string(options.collective)},
                          {"type", to_string(options.type)},
                          {"op", operation_name(options)},
                          {"data", to_string(options.data)},
                          {"memory", to_string(options.memory)},
                          {"in_place", options.in_place},
                          {"unaligned", options.unaligned},
                          {"ranks", info.ranks},
                          {"iterations", options.iterations},
                          {"mpi_library", info.mpi_library},
                          {"airamp_version", info.airamp_version},
                          {"nccl_version", info.nccl_version},
                          {"rows", nlohmann::json::array()}};
  for (const Row& row : rows) document["rows"].push_back(to_json(options, info, row));
  return write_file(options.json, document.dump(2) + '\n');
}

}  // namespace airamp::benchmark
