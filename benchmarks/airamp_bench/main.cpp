// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// airamp_bench: times a collective natively and through AIRamp in one run, in the form of nccl-tests' tables.
// Run it as: mpirun -n 2 airamp exec -- airamp_bench --type float16

#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "call.hpp"
#include "measurement.hpp"
#include "options.hpp"
#include "table.hpp"

namespace airamp::benchmark {
namespace {

RunInfo run_info(MPI_Comm communicator) {
  RunInfo info;
  MPI_Comm_size(communicator, &info.ranks);
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string version(text.data());
  for (const char c : version.substr(0, version.find_first_of(",\n"))) {
    const bool blank = c == '\t' || c == ' ';
    if (!blank) {
      info.mpi_library += c;
    } else if (!info.mpi_library.empty() && info.mpi_library.back() != ' ') {
      info.mpi_library += ' ';
    }
  }
  using VersionFunction = const char* (*)();
  if (void* symbol = dlsym(RTLD_DEFAULT, "airamp_version")) {
    info.airamp_version = reinterpret_cast<VersionFunction>(symbol)();
  }
  return info;
}

// A gather carries no operation, so AIRamp learns from a reduction what a two-byte type holds; it looks at large ones.
void introduce_type(const Options& options, const Element& element, MPI_Comm communicator) {
  Options reduction = options;
  reduction.collective = Collective::allreduce;
  Call(reduction, element, options.max_bytes, communicator).run();
}

int run(const Options& options, MPI_Comm communicator, bool speaks) {
  const RunInfo info = run_info(communicator);
  const Element element(options.type, options.operation);
  if (options.collective != Collective::allreduce) introduce_type(options, element, communicator);
  if (speaks) print_head(options, info);
  std::vector<Row> rows;
  for (std::size_t bytes = options.min_bytes; bytes <= options.max_bytes; bytes *= options.factor) {
    rows.push_back(measure(options, element, bytes, communicator));
    if (speaks) print_row(options, info, rows.back());
  }
  if (speaks && !options.json.empty() && !write_json(options, info, rows)) {
    std::fprintf(stderr, "airamp_bench: cannot write %s\n", options.json.c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace airamp::benchmark

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int exit_code = 0;
  airamp::benchmark::Options options;
  if (airamp::benchmark::parse_options(argc, argv, rank == 0, options, exit_code)) {
    exit_code = airamp::benchmark::run(options, MPI_COMM_WORLD, rank == 0);
  }
  MPI_Finalize();
  return exit_code;
}
