// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp_probe/processors.hpp"

#include <sched.h>

#include <cstddef>
#include <memory>

namespace airamp::probe {
namespace {

/// As many as Linux can be built for.
constexpr int most_processors = 8192;

struct Free {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using Set = std::unique_ptr<cpu_set_t, Free>;

Set empty_set() {
  Set set(CPU_ALLOC(most_processors));
  CPU_ZERO_S(CPU_ALLOC_SIZE(most_processors), set.get());
  return set;
}

}  // namespace

std::vector<int> own_processors() {
  const std::size_t size = CPU_ALLOC_SIZE(most_processors);
  const Set set = empty_set();
  std::vector<int> processors;
  if (sched_getaffinity(0, size, set.get()) != 0) return processors;
  for (int i = 0; i < most_processors; ++i) {
    if (CPU_ISSET_S(static_cast<std::size_t>(i), size, set.get())) processors.push_back(i);
  }
  return processors;
}

bool run_on(int processor) {
  const std::size_t size = CPU_ALLOC_SIZE(most_processors);
  const Set set = empty_set();
  CPU_SET_S(static_cast<std::size_t>(processor), size, set.get());
  return sched_setaffinity(0, size, set.get()) == 0;
}

}  // namespace airamp::probe
