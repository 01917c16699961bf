// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include "testing/mix.hpp"

namespace airamp::benchmark {

std::vector<Run> sampled_runs(std::size_t elements) {
  constexpr std::size_t all = 2U << 20U;
  constexpr std::size_t end = 64U << 10U;
  constexpr std::size_t runs = 1024;
  constexpr std::size_t run = 1024;
  if (elements <= all) return {{0, elements}};
  const std::size_t window = (elements - 2 * end) / runs;
  std::vector<Run> result{{0, end}};
  for (std::size_t i = 0; i < runs; ++i) {
    result.push_back({end + i * window + testing::mix(i) % (window - run), run});
  }
  result.push_back({elements - end, end});
  return result;
}

}  // namespace airamp::benchmark
