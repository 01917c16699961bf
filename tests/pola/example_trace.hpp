// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "pola/trace_writer.hpp"

namespace airamp::pola {

/// Number of calls on communicator 0 of the example.
inline constexpr std::size_t example_calls = 500;

/// A trace of 100 steps of five different calls on communicator 0, one call each 100 us, and of three calls on
/// communicator 1.
inline void write_example(const std::string& path) {
  TraceWriter writer;
  ASSERT_TRUE(
      writer.open(path.c_str(), {.size = 4, .library = "An MPI", .program = "example", .functions = {"A", "B"}}));
  writer.add_communicator({.size = 4});
  writer.add_communicator({.size = 2});
  for (std::uint32_t i = 0; i < 3; ++i) writer.record({.communicator = 1, .function = 1, .bytes = 8});
  for (std::size_t i = 0; i < example_calls; ++i) {
    const auto entered = static_cast<std::int64_t>(i) * 100'000;
    writer.record({.function = static_cast<std::uint32_t>(i % 5 / 4),
                   .bytes = std::uint64_t{1} << i % 5,
                   .entered_ns = entered,
                   .left_ns = entered + 10'000});
  }
  ASSERT_TRUE(writer.close());
}

}  // namespace airamp::pola
