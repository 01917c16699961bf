// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// own_writes TRACES: AIRamp traces, reports and complains where nobody reads stderr and files may not grow. Nothing
// reaches the program, which writes nothing itself: no signal, and no end before its own. Without AIRamp there is no
// trace to look at.
#include <dlfcn.h>
#include <mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>

#include "mpitests/laws/halves.hpp"

namespace airamp::laws {
namespace {

constexpr rlim_t largest_file = 100'000;  // bytes: a block of the trace, and a part of the next

volatile std::sig_atomic_t signals = 0;

void count(int /*signal*/) { signals = signals + 1; }

void let_nobody_read_stderr() {
  std::array<int, 2> ends{-1, -1};
  require(pipe(ends.data()) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO, "a pipe");
  close(ends[0]);
  close(ends[1]);
}

void limit_files() {
  rlimit limit{};
  require(getrlimit(RLIMIT_FSIZE, &limit) == 0, "the limit of files");
  limit.rlim_cur = largest_file;
  require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "a smaller limit of files");
}

bool airamp_is_here() { return dlsym(RTLD_DEFAULT, "airamp_version") != nullptr; }

bool trace_is_full(const std::string& traces, int rank) {
  return std::filesystem::file_size(traces + "/rank-" + std::to_string(rank) + ".airtrace") == largest_file;
}

int run(const std::string& traces) {
  let_nobody_read_stderr();
  MPI_Init(nullptr, nullptr);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::signal(SIGPIPE, count);
  std::signal(SIGXFSZ, count);
  limit_files();  // the MPI library has its files by now
  int value = 0;
  for (int i = 0; i < 50'000; ++i) MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return (!airamp_is_here() || trace_is_full(traces, rank)) && signals == 0 ? 0 : 1;
}

}  // namespace
}  // namespace airamp::laws

int main(int /*argc*/, char** argv) { return airamp::laws::run(argv[1]); }
