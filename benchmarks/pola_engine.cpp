// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Cost of Stream::observe in nanoseconds of processor time per event ("time_per_event"), on sequences from the easiest
// to the hardest: what a wrapped collective pays for PoLA.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "pola/stream.hpp"

namespace {

using airamp::pola::Signature;
using airamp::pola::Stream;

constexpr std::size_t events = 100'000;
using Sequence = std::vector<Signature>;

Sequence periodic(std::size_t period) {
  Sequence sequence(events);
  for (std::size_t i = 0; i < events; ++i) sequence[i] = i % period;
  return sequence;
}

/// Molecular dynamics: two calls a step, three more when neighbours are searched, every eight to twelve steps, three
/// more in every tenth step, five more in every hundredth.
Sequence nested() {
  std::mt19937_64 random(1);
  Sequence sequence;
  for (std::size_t step = 0, next = 10; sequence.size() < events; ++step) {
    sequence.insert(sequence.end(), {1, 2});
    if (step == next) {
      sequence.insert(sequence.end(), {3, 3, 4});
      next += 8 + random() % 5;
    }
    if (step % 10 == 0) sequence.insert(sequence.end(), {5, 6, 7});
    if (step % 100 == 0) sequence.insert(sequence.end(), 5, 8);
  }
  return sequence;
}

Sequence random_of(std::size_t kinds) {
  std::mt19937_64 random(1);
  Sequence sequence(events);
  for (Signature& signature : sequence) signature = random() % kinds;
  return sequence;
}

void observe(benchmark::State& state, const Sequence& sequence) {
  for (auto _ : state) {
    Stream stream;
    for (const Signature signature : sequence) benchmark::DoNotOptimize(stream.observe(signature));
  }
  state.counters["time_per_event"] = benchmark::Counter(static_cast<double>(state.iterations() * sequence.size()),
                                                        benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

BENCHMARK_CAPTURE(observe, constant, periodic(1))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observe, period_7, periodic(7))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observe, period_100, periodic(100))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observe, nested, nested())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observe, random_of_2, random_of(2))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observe, random_of_64, random_of(64))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(observe, random_of_5000, random_of(5000))->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
