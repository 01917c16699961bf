// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "mpitests/faults/cases.hpp"
#include "mpitests/faults/job.hpp"
#include "mpitests/faults/verdict.hpp"

namespace airamp::faults {
namespace {

constexpr int children = 10;

/// What a command writes to its stdout.
std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  require(pipe != nullptr, "a child");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  require(pclose(pipe) == 0, "the child's status");
  return text;
}

/// A child that uses no MPI, ends by exit, with all exit handlers, and leaves its parent's memory as it was.
void fork_once() {
  const pid_t child = fork();
  require(child >= 0, "a child");
  if (child == 0) std::exit(7);
  int status = 0;
  require(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child's status");
}

}  // namespace

void forks(const Arguments& /*arguments*/) {
  start();
  {
    Work work(MPI_COMM_WORLD);
    for (int i = 0; i < children; ++i) {
      work.rounds(enough_rounds / children);
      fork_once();
    }
    work.rounds(enough_rounds);
  }
  finish();
}

void runs(const Arguments& arguments) {
  const std::string command = arguments.at(0) + " && echo done";
  require(output_of(command) == "done\n", "the child's output before MPI_Init");
  start();
  {
    Work work(MPI_COMM_WORLD);
    for (int i = 0; i < children; ++i) {
      work.rounds(enough_rounds / children);
      require(output_of(command) == "done\n", "the child's output");
    }
    work.rounds(enough_rounds);
  }
  finish();
}

}  // namespace airamp::faults
