// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "mpitests/faults/cases.hpp"
#include "mpitests/faults/job.hpp"
#include "mpitests/faults/verdict.hpp"

namespace airamp::faults {
namespace {

/// Of this process, in bytes.
rlim_t address_space() {
  std::ifstream file("/proc/self/statm");
  rlim_t pages = 0;
  file >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// The lowest descriptor that is free.
rlim_t next_descriptor() {
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  require(descriptor >= 0, "a descriptor before the limit is set");
  close(descriptor);
  return static_cast<rlim_t>(descriptor);
}

void set(int resource, rlim_t most) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource>(resource), &limit);
  limit.rlim_cur = most;
  require(setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0, "a limit");
}

void set_limit(const std::string& what, rlim_t rest) {
  if (what == "memory") set(RLIMIT_AS, address_space() + rest);
  if (what == "files") set(RLIMIT_FSIZE, rest);
  if (what == "descriptors") set(RLIMIT_NOFILE, next_descriptor() + rest);
}

}  // namespace

void limits(const Arguments& arguments) {
  start();
  {
    // What the MPI library needs for its messages it has by then.
    MPI_Pcontrol(0);
    Work work(MPI_COMM_WORLD);
    work.rounds(4);
    MPI_Pcontrol(1);
    if (arguments.at(2) == "all" || is_last()) set_limit(arguments.at(0), static_cast<rlim_t>(number(arguments, 1, 0)));
    work.rounds(enough_rounds);
    if (arguments.at(0) == "memory") set(RLIMIT_AS, RLIM_INFINITY);  // others may need some to end
  }
  finish();
}

}  // namespace airamp::faults
