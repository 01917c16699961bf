// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/schedules/search.hpp"

#include <algorithm>

namespace airamp::schedules {

const char* text_of(testing::Sends sends) { return sends == testing::Sends::with_bytes ? "with" : "without"; }

Found search_all(const Program& program, int ranks, testing::Sends sends, std::size_t limit, bool airamp,
                 const GoesOn& goes_on) {
  testing::Exploration exploration(sends, program.step);
  Found found;
  for (std::size_t runs = 0; runs < limit && found.wrong.empty() && !found.complete; ++runs) {
    const std::string wrong = run(program, ranks, exploration, airamp);
    const testing::Schedule schedule = exploration.schedule();
    found.steps = std::max(found.steps, schedule.size());
    if (exploration.redundant()) {
      ++found.redundant;
    } else {
      ++found.schedules;
      found.wrong = wrong;
    }
    if (!found.wrong.empty()) {
      found.again = "replay " + std::string(program.name) + " " + std::to_string(ranks) + " " + text_of(sends) + " " +
                    testing::text_of(schedule);
    }
    found.complete = !exploration.advance();
    if (!goes_on(found)) break;
  }
  return found;
}

std::string run_seed(const Program& program, std::uint64_t seed, bool airamp) {
  constexpr std::uint64_t least = 3;
  constexpr std::uint64_t most = 8;
  // In half of those in which meetings may be closed, ranks come in time for most.
  constexpr std::uint64_t long_step = 1000;
  constexpr std::uint64_t short_step = 4;
  const bool in_time = program.shared_memory && seed / 8 % 2 == 0;
  testing::RandomScheduler scheduler(seed, testing::Sends::either, in_time ? short_step : long_step);
  return run(program, static_cast<int>(least + seed % (most - least + 1)), scheduler, airamp);
}

Found search_randomly(const Program& program, std::uint64_t first, std::uint64_t last, bool airamp,
                      const GoesOn& goes_on) {
  Found found;
  for (std::uint64_t seed = first; seed <= last && found.wrong.empty(); ++seed) {
    found.wrong = run_seed(program, seed, airamp);
    ++found.schedules;
    if (!found.wrong.empty()) found.again = "seed " + std::string(program.name) + " " + std::to_string(seed);
    if (!goes_on(found)) break;
  }
  return found;
}

}  // namespace airamp::schedules
