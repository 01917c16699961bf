// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "testing/in_process_mpi/exploration.hpp"
#include "tests/schedules/program.hpp"

namespace airamp::schedules {

/// What came of many runs of a program.
struct Found {
  std::size_t schedules = 0;  ///< that were run to their end
  std::size_t redundant = 0;  ///< that were given up, as no different from others
  std::size_t steps = 0;      ///< choices in the longest
  bool complete = false;      ///< there are no others
  std::string wrong;          ///< in the last of them; empty if nothing was
  std::string again;          ///< how explore_schedules runs that one again
};

const char* text_of(testing::Sends sends);

/// Hears after each run what was found so far. Whether the search is to go on.
using GoesOn = std::function<bool(const Found&)>;
inline bool always(const Found& /*found*/) { return true; }

/// Every schedule that makes a difference, up to `limit` runs, until one fails.
Found search_all(const Program& program, int ranks, testing::Sends sends, std::size_t limit, bool airamp = true,
                 const GoesOn& goes_on = always);

/// A schedule of chance for each seed from `first` to `last`, until one fails.
Found search_randomly(const Program& program, std::uint64_t first, std::uint64_t last, bool airamp = true,
                      const GoesOn& goes_on = always);

/// The one of a seed, which also says how many ranks there are: 3 to 8.
std::string run_seed(const Program& program, std::uint64_t seed, bool airamp = true);

}  // namespace airamp::schedules
