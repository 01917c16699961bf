// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "pola/stream.hpp"

namespace airamp::pola {

using Sequence = std::vector<Signature>;

/// A number from 0 to 1, the same with every standard library.
inline double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// `period` signatures of `alphabet` different ones at most, of which no two neighbours need differ.
inline Sequence random_pattern(std::size_t period, std::size_t alphabet, std::mt19937_64& random) {
  Sequence pattern(period);
  for (Signature& signature : pattern) signature = mix(random() % alphabet + 1);
  return pattern;
}

/// The pattern over and over, `events` long.
inline Sequence repeated(const Sequence& pattern, std::size_t events) {
  Sequence sequence(events);
  for (std::size_t i = 0; i < events; ++i) sequence[i] = pattern[i % pattern.size()];
  return sequence;
}

/// A solver: each step begins with two calls, takes from `fewest` to `most` iterations of three calls, ends with one.
inline Sequence solver(std::size_t events, std::size_t fewest, std::size_t most, std::mt19937_64& random) {
  Sequence sequence;
  while (sequence.size() < events) {
    sequence.insert(sequence.end(), {1, 2});
    for (std::size_t left = fewest + random() % (most - fewest + 1); left > 0; --left) {
      sequence.insert(sequence.end(), {10, 11, 10});
    }
    sequence.push_back(3);
  }
  sequence.resize(events);
  return sequence;
}

/// Molecular dynamics: two calls a step, three more in every tenth, three more in every twentieth, five in every 100th.
inline Sequence nested_steps(std::size_t events) {
  Sequence sequence;
  for (std::size_t step = 0; sequence.size() < events; ++step) {
    sequence.insert(sequence.end(), {1, 2});
    if (step % 20 == 0) sequence.insert(sequence.end(), {6, 6, 7});
    if (step % 10 == 0) sequence.insert(sequence.end(), {3, 4, 5});
    if (step % 100 == 0) sequence.insert(sequence.end(), 5, 8);
  }
  sequence.resize(events);
  return sequence;
}

inline void observe_all(Stream& stream, const Sequence& sequence) {
  for (const Signature signature : sequence) stream.observe(signature);
}

/// Number of events after which the stream is locked first; 0 if it never is.
inline std::size_t first_lock(Stream& stream, const Sequence& sequence) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    stream.observe(sequence[i]);
    if (stream.state() == Stream::State::locked) return i + 1;
  }
  return 0;
}

inline double accuracy(const Stream& stream) {
  const Stream::Counters& counters = stream.counters();
  return static_cast<double>(counters.hits) / static_cast<double>(counters.hits + counters.misses);
}

}  // namespace airamp::pola
