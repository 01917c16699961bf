// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airamp_bench/host/host_table.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "benchmarks/airamp_bench/host/common_start.hpp"
#include "benchmarks/airamp_bench/host/host_timer.hpp"
#include "benchmarks/airamp_bench/host_collective.hpp"

namespace airamp::benchmark {
namespace {

struct HostRow {
  std::string collective;
  std::size_t bytes;
  HostTimes native;
  HostTimes airamp;
  bool same_bits;
};

constexpr double microseconds = 1e6;

/// The same on all ranks as on rank 0.
bool as_rank_0(bool own) {
  int value = own ? 1 : 0;
  testing::librarys_functions().bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value != 0;
}

bool share_a_host() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int ranks = 0;
  int ranks_here = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_size(host, &ranks_here);
  MPI_Comm_free(&host);
  return ranks == ranks_here;
}

bool have_same_bits(const HostCollective::Buffer& a, const HostCollective::Buffer& b) {
  int same = std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0 ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return same == 1;
}

HostCollective::Buffer input_of(std::size_t elements, int rank) {
  HostCollective::Buffer input(elements);
  for (std::size_t i = 0; i < elements; ++i)
    input[i] = 1.0 / static_cast<double>(i + 3 + static_cast<std::size_t>(rank) * 7);
  return input;
}

/// Makes calls until AIRamp has decided, a second of them at most. Returns the seconds of one, the same on all ranks.
double warm_up(HostTimer& timer) {
  constexpr int calls_to_decide = 3000;
  constexpr int calls_at_once = 20;
  constexpr double enough_seconds = 1;
  const double begin = MPI_Wtime();
  int calls = 0;
  do {
    for (int i = 0; i < calls_at_once; ++i) timer.call();
    calls += calls_at_once;
    MPI_Barrier(MPI_COMM_WORLD);  // in which it is settled how nonblocking calls go
  } while (as_rank_0(calls < calls_to_decide && MPI_Wtime() - begin < enough_seconds));
  double seconds = (MPI_Wtime() - begin) / calls;
  testing::librarys_functions().bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return seconds;
}

HostRow measure(const Options& options, const std::string& name, std::size_t bytes, const Numbers& numbers,
                CommonStart* common_start) {
  constexpr double longest_turn_seconds = 20e-3;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::size_t count = bytes / sizeof(double);
  const HostCollective collective(name, static_cast<int>(count), ranks, numbers);
  const std::size_t elements = std::max<std::size_t>(count, 1) * static_cast<std::size_t>(ranks * numbers.extent());
  HostBuffers buffers{.input = input_of(elements, rank), .output = HostCollective::Buffer(elements)};
  HostTimer native(testing::librarys_functions(), collective, buffers, common_start, options.uneven_us);
  HostTimer airamp(testing::programs_functions(), collective, buffers, common_start, options.uneven_us);
  const double seconds = warm_up(airamp);
  const int calls = static_cast<int>(std::clamp<double>(longest_turn_seconds / seconds, 1, options.calls));
  const double begin = MPI_Wtime();
  int turns = 0;
  do {
    native.take_turn(calls);
    airamp.take_turn(calls);
  } while (as_rank_0(++turns < options.iterations &&
                     (options.budget_ms == 0 || (MPI_Wtime() - begin) * 1e3 < options.budget_ms)));
  const bool same = have_same_bits(native.result(), airamp.result());
  return {.collective = name, .bytes = bytes, .native = native.times(), .airamp = airamp.times(), .same_bits = same};
}

void print_head(const RunInfo& info, const Options& options) {
  std::printf("# FP64 on host memory%s, %d ranks, %s\n", options.holes ? ", each number with a hole behind it" : "",
              info.ranks, info.mpi_library.c_str());
  print_airamp(info);
  std::printf(
      "# microseconds, medians of the slowest rank, of up to %d turns; ratio: time of native / time of AIRamp\n",
      options.iterations);
  const bool in_steps = options.uneven_us > 0;
  if (in_steps) {
    std::printf("# steps: 100 us of computing, up to %d more by chance on each rank, and a call\n", options.uneven_us);
  } else {
    std::printf("# hot: each call from a common start; cold: the same after computing with 3 MiB\n");
  }
  std::printf("#%20s %9s | %28s | %28s | %28s | same\n", "", "", in_steps ? "steps" : "back to back", "hot", "cold");
  std::printf("#%20s %9s ", "collective", "size(B)");
  for (int kind = 0; kind < 3; ++kind) std::printf("| %10s %10s %6s ", "native", "AIRamp", "ratio");
  std::printf("| bits\n");
  std::fflush(stdout);
}

void print_times(double native, double airamp) {
  if (std::isnan(native)) {
    std::printf("| %10s %10s %6s ", "-", "-", "-");
  } else {
    std::printf("| %10.3f %10.3f %6.2f ", native * microseconds, airamp * microseconds, native / airamp);
  }
}

void print(const HostRow& row) {
  std::printf(" %20s %9zu ", row.collective.c_str(), row.bytes);
  print_times(row.native.back_to_back, row.airamp.back_to_back);
  print_times(row.native.hot, row.airamp.hot);
  print_times(row.native.cold, row.airamp.cold);
  std::printf("| %s\n", row.same_bits ? "yes" : "no");
  std::fflush(stdout);
}

nlohmann::json to_json(double native, double airamp) {
  if (std::isnan(native)) return nullptr;
  return {{"native_seconds", native}, {"airamp_seconds", airamp}, {"ratio", native / airamp}};
}

bool write_json(const Options& options, const RunInfo& info, const std::vector<HostRow>& rows) {
  nlohmann::json document{{"type", "float64"},
                          {"memory", "host"},
                          {"holes", options.holes},
                          {"uneven_us", options.uneven_us},
                          {"ranks", info.ranks},
                          {"mpi_library", info.mpi_library},
                          {"airamp_version", info.airamp_version},
                          {"rows", nlohmann::json::array()}};
  for (const HostRow& row : rows) {
    document["rows"].push_back(
        {{"collective", row.collective},
         {"bytes", row.bytes},
         {options.uneven_us > 0 ? "steps" : "back_to_back", to_json(row.native.back_to_back, row.airamp.back_to_back)},
         {"hot", to_json(row.native.hot, row.airamp.hot)},
         {"cold", to_json(row.native.cold, row.airamp.cold)},
         {"same_bits", row.same_bits}});
  }
  return write_file(options.json, document.dump(2) + '\n');
}

}  // namespace

int run_host_table(const Options& options, const RunInfo& info, bool speaks) {
  const std::unique_ptr<CommonStart> common_start = share_a_host() ? std::make_unique<CommonStart>() : nullptr;
  const Numbers numbers(options.holes);
  if (speaks) print_head(info, options);
  std::vector<HostRow> rows;
  bool good = true;
  for (const std::string& collective : options.collectives) {
    const std::vector<std::size_t> lengths =
        HostCollective::has_data(collective) ? sizes(options) : std::vector<std::size_t>{0};
    for (const std::size_t bytes : lengths) {
      rows.push_back(measure(options, collective, bytes, numbers, common_start.get()));
      good = good && rows.back().same_bits;
      if (!speaks) continue;
      print(rows.back());
      if (!options.json.empty() && !write_json(options, info, rows)) {
        std::fprintf(stderr, "airamp_bench: cannot write %s\n", options.json.c_str());
        good = false;
      }
    }
  }
  return good ? 0 : 1;
}

}  // namespace airamp::benchmark
