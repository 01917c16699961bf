// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <string>

#include "mpitests/faults/cases.hpp"
#include "mpitests/faults/job.hpp"
#include "mpitests/faults/verdict.hpp"

namespace airamp::faults {
namespace {

constexpr suseconds_t signal_period_us = 1000;

std::atomic<int> signals{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void count_signal(int /*signal*/) { signals.fetch_add(1, std::memory_order_relaxed); }

void set_timer(suseconds_t period) {
  const itimerval timer{{0, period}, {0, period}};
  require(setitimer(ITIMER_REAL, &timer, nullptr) == 0, "a timer");
}

}  // namespace

void well(const Arguments& arguments) {
  start();
  work(static_cast<int>(number(arguments, 0, enough_rounds)));
  finish();
}

void clears_environment(const Arguments& arguments) {
  const bool before = arguments.at(0) == "before";
  if (before) clearenv();
  start();
  clearenv();
  work();
  finish();
}

void removes_working_folder(const Arguments& /*arguments*/) {
  std::string folder = "/tmp/airamp-faults-XXXXXX";
  require(mkdtemp(folder.data()) != nullptr && chdir(folder.c_str()) == 0 && rmdir(folder.c_str()) == 0,
          "a working folder that is gone");
  start();
  work();
  finish();
}

void sets_locale(const Arguments& arguments) {
  require(std::setlocale(LC_ALL, arguments.at(0).c_str()) != nullptr, "the locale");
  require(*std::localeconv()->decimal_point == ',', "decimal commas");
  start();
  work();
  finish();
}

void closes_outputs(const Arguments& /*arguments*/) {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(descriptor);
  start();
  work();
  finish();
}

void has_signals(const Arguments& arguments) {
  struct sigaction action {};
  action.sa_handler = count_signal;
  action.sa_flags = arguments.empty() ? 0 : SA_RESTART;
  require(sigaction(SIGALRM, &action, nullptr) == 0, "a signal handler");
  set_timer(signal_period_us);
  start();
  work();
  while (signals.load() < 20) work(1);  // a fast machine needs more rounds for as many signals
  struct sigaction now {};
  sigaction(SIGALRM, nullptr, &now);
  require(now.sa_handler == count_signal, "the program's own signal handler");
  MPI_Finalize();
  set_timer(0);
  leave_verdict("right");
}

}  // namespace airamp::faults
