// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// airamp_bench: times a collective natively, through AIRamp and by NCCL in one run, in the form of nccl-tests' tables.
// Run it as: mpirun -n 2 airamp exec -- airamp_bench --type float16 [--memory device --nccl]
// or, for a table of what CPU codes call: mpirun -n 16 --bind-to core airamp exec -- airamp_bench --host

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/airamp_bench/cuda/nccl.hpp"
#include "benchmarks/airamp_bench/host/host_table.hpp"
#include "call.hpp"
#include "measurement.hpp"
#include "memory.hpp"
#include "memory_of_ranks.hpp"
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
void introduce_type(const Options& options, const Element& element, Memory& memory, std::size_t bytes,
                    MPI_Comm communicator) {
  Options reduction = options;
  reduction.collective = Collective::allreduce;
  reduction.in_place = false;
  Call(reduction, element, memory, bytes, communicator).run();
}

std::unique_ptr<Memory> open_memory(const Options& options, const RunInfo& info, MPI_Comm communicator) {
  if (options.memory == Place::host) return host_memory();
  if (mpi_refuses_device_memory()) {
    if (info.airamp_version.empty()) {
      throw std::runtime_error("--memory device: the MPI library is not GPU-aware, and AIRamp is not loaded");
    }
    if (options.native) {
      throw std::runtime_error(
          "--memory device: the MPI library is not GPU-aware, so that its native calls cannot be "
          "timed; use --no-native");
    }
  }
  std::unique_ptr<Memory> memory = device_memory(local_rank(communicator));
  if (options.nccl) load_nccl();
  return memory;
}

int run(const Options& options, MPI_Comm communicator, bool speaks) {
  RunInfo info = run_info(communicator);
  if (options.host) return run_host_table(options, info, speaks);
  const std::unique_ptr<Memory> memory =
      open_on_all_ranks("airamp_bench", communicator, [&] { return open_memory(options, info, communicator); });
  if (!memory) return 1;
  const std::unique_ptr<Nccl> nccl = options.nccl ? open_nccl(communicator) : nullptr;
  if (nccl) info.nccl_version = nccl->version();
  const Element element(options.type, options.operation, options.data, options.integer_bits);
  const std::vector<std::size_t> all_sizes = sizes(options);
  if (!options.reduces()) {
    introduce_type(options, element, *memory, *std::max_element(all_sizes.begin(), all_sizes.end()), communicator);
  }
  if (speaks) print_head(options, info);
  std::vector<Row> rows;
  bool written = true;
  for (const std::size_t bytes : all_sizes) {
    rows.push_back(measure(options, element, *memory, nccl.get(), bytes, communicator));
    if (!speaks) continue;
    print_row(options, info, rows.back());
    // After each row: what a job leaves that is cut short is of use.
    if (!options.json.empty() && !write_json(options, info, rows)) {
      std::fprintf(stderr, "airamp_bench: cannot write %s\n", options.json.c_str());
      written = false;
    }
  }
  return written ? 0 : 1;
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
    try {
      exit_code = airamp::benchmark::run(options, MPI_COMM_WORLD, rank == 0);
    } catch (const std::exception& error) {
      // The other ranks are somewhere inside a collective.
      std::fprintf(stderr, "airamp_bench: rank %d: %s\n", rank, error.what());
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Finalize();
  return exit_code;
}
