// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
//   explore_schedules all [LIMIT [PROGRAM...]]                  2 ranks: every schedule that makes a difference, up to
//                                                               LIMIT (100000) of a program
//   explore_schedules random FIRST LAST [PROGRAM...]            3 to 8 ranks, a schedule of chance for each seed
//   explore_schedules replay PROGRAM RANKS with|without SCHEDULE
//   explore_schedules seed PROGRAM SEED
//
// What is wrong is printed with what it takes to have it again, and the exit status is 1. "with", "without": messages
// that take their bytes with them at once, or do not. How far a search is, it says on stderr every ten seconds; SIGINT
// and SIGTERM end it after the schedule that it is at, and what was found until then is printed.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "testing/in_process_mpi/exploration.hpp"
#include "tests/schedules/search.hpp"

namespace {

using namespace airamp::schedules;
using airamp::testing::Sends;

volatile std::sig_atomic_t interrupted = 0;

/// Where people look: AIRamp's ranks say that their calls fail whenever a run is given up, which nobody wants to see.
std::FILE* people = stderr;

void keep_from_airamp() {
  people = fdopen(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), "w");
  if (people == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) std::exit(2);
}

/// Says every ten seconds how far the search of a program is, and ends it on a signal.
class Progress {
 public:
  Progress(const Program& program, const char* how) : program_(program), how_(how) {}

  bool operator()(const Found& found) {
    const auto now = Clock::now();
    if (now >= next_) {
      std::fprintf(people, "%s, %s: %zu schedules so far\n", program_.name.data(), how_, found.schedules);
      std::fflush(people);
      next_ = now + pause;
    }
    return interrupted == 0;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds pause{10};

  const Program& program_;
  const char* how_;
  Clock::time_point next_ = Clock::now() + pause;
};

int usage() {
  std::fputs(
      "usage: explore_schedules all [LIMIT [PROGRAM...]] | random FIRST LAST [PROGRAM...]\n"
      "       explore_schedules replay PROGRAM RANKS with|without SCHEDULE | seed PROGRAM SEED\n"
      "programs:",
      stderr);
  for (const auto* const list : {&programs(), &broken_programs()}) {
    for (const Program& program : *list) std::fprintf(stderr, " %s", program.name.data());
  }
  std::fputs("\n", stderr);
  return 2;
}

/// Of all programs.
struct Total {
  std::size_t schedules = 0;
  std::size_t wrong = 0;  ///< searches that ended with an error
};

/// Prints what a search found, and adds it.
void print(const Program& program, const char* how, const Found& found, Total& total) {
  total.schedules += found.schedules;
  total.wrong += found.wrong.empty() ? 0 : 1;
  std::printf("%s, %s: %zu schedules", program.name.data(), how, found.schedules);
  if (found.steps > 0) std::printf(", %zu given up, %zu steps at most", found.redundant, found.steps);
  std::puts(found.complete ? ", all of them" : interrupted != 0 ? ", interrupted" : "");
  if (!found.wrong.empty())
    std::printf("  %s\n  again: explore_schedules %s\n", found.wrong.c_str(), found.again.c_str());
  std::fflush(stdout);
}

void explore_all(const Program& program, std::uint64_t limit, Total& total) {
  for (const Sends sends : {Sends::with_bytes, Sends::without_bytes}) {
    if (interrupted != 0) break;
    const char* const how = text_of(sends);
    print(program, how, search_all(program, 2, sends, limit, true, Progress(program, how)), total);
  }
}

void explore_randomly(const Program& program, std::uint64_t first, std::uint64_t last, Total& total) {
  const char* const how = "random";
  print(program, how, search_randomly(program, first, last, true, Progress(program, how)), total);
}

int print_run(const std::string& wrong) {
  std::puts(wrong.empty() ? "nothing is wrong" : wrong.c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string command = words.empty() ? "" : words[0];
  const auto number = [&](std::size_t at) { return std::strtoull(words[at].c_str(), nullptr, 10); };
  const bool random = command == "random" && words.size() >= 3;
  if (command == "replay" && words.size() == 5) {
    const Program* const program = find_program(words[1]);
    if (program == nullptr) return usage();
    airamp::testing::Replay replay(airamp::testing::schedule_of(words[4]),
                                   words[3] == "with" ? Sends::with_bytes : Sends::without_bytes, program->step);
    return print_run(run(*program, static_cast<int>(number(2)), replay));
  }
  if (command == "seed" && words.size() == 3) {
    const Program* const program = find_program(words[1]);
    return program != nullptr ? print_run(run_seed(*program, number(2))) : usage();
  }
  if (!random && command != "all") return usage();
  constexpr std::uint64_t usual_limit = 100000;
  const std::uint64_t limit = !random && words.size() >= 2 ? number(1) : usual_limit;
  std::vector<const Program*> wanted;
  for (std::size_t at = random ? 3 : 2; at < words.size(); ++at) {
    wanted.push_back(find_program(words[at]));
    if (wanted.back() == nullptr) return usage();
  }
  if (wanted.empty()) {
    for (const Program& program : programs()) wanted.push_back(&program);
  }
  keep_from_airamp();
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });
  Total total;
  for (const Program* const program : wanted) {
    if (interrupted != 0) break;
    if (random) {
      explore_randomly(*program, number(1), number(2), total);
    } else {
      explore_all(*program, limit, total);
    }
  }
  std::printf("%zu schedules in all, %zu searches found an error\n", total.schedules, total.wrong);
  return total.wrong == 0 ? 0 : 1;
}
