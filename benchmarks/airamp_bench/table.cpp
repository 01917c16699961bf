// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace airamp::benchmark {
namespace {

const char* operation_name(const Options& options) {
  return options.collective == Collective::allreduce ? to_string(options.operation) : "none";
}

struct Bandwidths {
  double algorithm;
  double bus;
};

Bandwidths bandwidths(const Options& options, const RunInfo& info, const Row& row, const Timing& timing) {
  return {algorithm_bandwidth(options.collective, row.bytes, info.ranks, timing.seconds),
          bus_bandwidth(options.collective, row.bytes, info.ranks, timing.seconds)};
}

nlohmann::json to_json(const Options& options, const RunInfo& info, const Row& row, const Timing& timing) {
  const Bandwidths bandwidth = bandwidths(options, info, row, timing);
  nlohmann::json result{
      {"seconds", timing.seconds}, {"algorithm_bandwidth", bandwidth.algorithm}, {"bus_bandwidth", bandwidth.bus}};
  if (options.check) {
    result["error"] = timing.error;
    result["same_bits"] = timing.same_bits;
  }
  return result;
}

}  // namespace

void print_head(const Options& options, const RunInfo& info) {
  std::printf("# %s, %d ranks, %s\n", to_string(options.collective), info.ranks, info.mpi_library.c_str());
  if (info.airamp_version.empty()) {
    std::printf("# AIRamp is not loaded: both sides are native\n");
  } else {
    std::printf("# AIRamp %s\n", info.airamp_version.c_str());
  }
  std::printf("# medians of %d calls each, slowest rank; bandwidths in GB/s; error: relative L2 against FP64\n",
              options.iterations);
  std::printf("#%11s %11s %9s %5s | %10s %7s %7s | %10s %7s %7s %9s | %6s %5s\n", "", "", "", "", "native", "", "",
              "AIRamp", "", "", "", "", "same");
  std::printf("#%11s %11s %9s %5s | %10s %7s %7s | %10s %7s %7s %9s | %6s %5s\n", "size(B)", "count", "type", "op",
              "time(us)", "algbw", "busbw", "time(us)", "algbw", "busbw", "error", "ratio", "bits");
  std::fflush(stdout);
}

void print_row(const Options& options, const RunInfo& info, const Row& row) {
  const Bandwidths native = bandwidths(options, info, row, row.native);
  const Bandwidths airamp = bandwidths(options, info, row, row.airamp);
  std::printf(" %11zu %11zu %9s %5s | %10.1f %7.3f %7.3f | %10.1f %7.3f %7.3f ", row.bytes, row.count,
              to_string(options.type), operation_name(options), row.native.seconds * 1e6, native.algorithm, native.bus,
              row.airamp.seconds * 1e6, airamp.algorithm, airamp.bus);
  const double ratio = row.native.seconds / row.airamp.seconds;
  if (options.check) {
    std::printf("%9.2e | %6.2f %5s\n", row.airamp.error, ratio, row.airamp.same_bits ? "yes" : "no");
  } else {
    std::printf("%9s | %6.2f %5s\n", "-", ratio, "-");
  }
  std::fflush(stdout);
}

bool write_json(const Options& options, const RunInfo& info, const std::vector<Row>& rows) {
  nlohmann::json document{{"collective", to_string(options.collective)},
                          {"type", to_string(options.type)},
                          {"op", operation_name(options)},
                          {"ranks", info.ranks},
                          {"iterations", options.iterations},
                          {"mpi_library", info.mpi_library},
                          {"airamp_version", info.airamp_version},
                          {"rows", nlohmann::json::array()}};
  for (const Row& row : rows) {
    document["rows"].push_back({{"bytes", row.bytes},
                                {"count", row.count},
                                {"native", to_json(options, info, row, row.native)},
                                {"airamp", to_json(options, info, row, row.airamp)},
                                {"ratio", row.native.seconds / row.airamp.seconds}});
  }
  std::ofstream file(options.json);
  file << document.dump(2) << '\n';
  file.close();
  return file.good();
}

}  // namespace airamp::benchmark
