// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Cost of finding out where a pointer lives, first without a GPU driver in the process and then, for what is our own
// share, with the driver library given as the first argument: a real one, or the fake one of the tests.
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <array>
#include <memory>

#include "gpu/driver_library.hpp"
#include "gpu/location.hpp"

namespace {

void count_libraries(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(airamp::gpu::loaded_library_count());
}

void locate(benchmark::State& state, const void* pointer) {
  for (auto _ : state) benchmark::DoNotOptimize(airamp::gpu::locate(pointer));
}

/// Makes the first GPU's primary context this thread's own, as the CUDA runtime would. Says whether it could.
bool enter_primary_context(void* driver) {
  const auto initialise = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto retain = reinterpret_cast<int (*)(void**, int)>(dlsym(driver, "cuDevicePrimaryCtxRetain"));
  const auto set_current = reinterpret_cast<int (*)(void*)>(dlsym(driver, "cuCtxSetCurrent"));
  void* context = nullptr;
  return initialise != nullptr && retain != nullptr && set_current != nullptr && initialise(0) == 0 &&
         retain(&context, 0) == 0 && set_current(context) == 0;
}

void locate_with_driver(benchmark::State& state, const char* path, const void* pointer) {
  void* driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) {
    state.SkipWithError(dlerror());
    return;
  }
  state.SetLabel(enter_primary_context(driver) ? "in a GPU's context" : "without a context");
  locate(state, pointer);
}

}  // namespace

int main(int argc, char** argv) {
  static const std::array<char, 4096> memory{};  // constants: not among the variables
  static char variable = 0;
  benchmark::Initialize(&argc, argv);
  benchmark::RegisterBenchmark("count_libraries", count_libraries);
  benchmark::RegisterBenchmark("locate/special_value", locate, nullptr);
  const char on_stack = 0;
  const auto in_heap = std::make_unique<char>();
  benchmark::RegisterBenchmark("locate/variable", locate, &variable);
  benchmark::RegisterBenchmark("locate/heap", locate, in_heap.get());
  benchmark::RegisterBenchmark("locate/stack", locate, &on_stack);
  benchmark::RegisterBenchmark("locate/no_driver", locate, memory.data());
  // Last: a library that is loaded stays.
  if (argc > 1) benchmark::RegisterBenchmark("locate/driver", locate_with_driver, argv[1], memory.data());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
