// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "mpitests/faults/cases.hpp"
#include "mpitests/faults/job.hpp"
#include "mpitests/faults/verdict.hpp"

namespace airamp::faults {
namespace {

using std::chrono::milliseconds;

/// In the midst of what this process does then.
void die_after(milliseconds delay) {
  std::thread([=] {
    std::this_thread::sleep_for(delay);
    std::raise(SIGKILL);
  }).detach();
}

struct Stage {
  const char* name;
  int rounds_before;
  void (*die)();
};

void die() { std::raise(SIGKILL); }
void die_inside() { die_after(milliseconds(50)); }
void die_late() {
  std::this_thread::sleep_for(milliseconds(500));  // the others wait by then
  die();
}

constexpr Stage stages[] = {{"first", 0, die},
                            {"learning", 5, die},
                            {"learnt", enough_rounds, die},
                            {"inside", enough_rounds, die_inside},
                            {"waited-for", enough_rounds, die_late}};

/// Rounds until there is an error, of which the class is returned; the last rank dies where the stage says.
int work_until(const Stage& stage) {
  Work work(MPI_COMM_WORLD);
  for (int number = 0;; ++number) {
    if (number == stage.rounds_before && is_last()) stage.die();
    const int error = work.round(number);
    if (error == MPI_SUCCESS) continue;
    int result = MPI_SUCCESS;
    MPI_Error_class(error, &result);
    return result;
  }
}

const Stage& stage_named(const std::string& name) {
  for (const Stage& stage : stages) {
    if (name == stage.name) return stage;
  }
  require(false, "a stage of this name");
  return stages[0];
}

}  // namespace

void killed(const Arguments& arguments) {
  const std::string& stage = arguments.at(0);
  // Of two ranks or more the second: the last one is not known before MPI_Init.
  if (stage == "init" && rank_by_launcher() == 1) die();
  start();
  if (stage == "init" || stage == "finalize") {
    work();
    if (is_last()) die();
    finish();
  } else {
    work_until(stage_named(stage));
  }
}

void killed_errors_return(const Arguments& arguments) {
  start();
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int error_class = work_until(stage_named(arguments.at(0)));
  leave_verdict("error-" + std::to_string(error_class));
  std::this_thread::sleep_for(milliseconds(1000));  // so that all have one
  std::_Exit(0);
}

}  // namespace airamp::faults
