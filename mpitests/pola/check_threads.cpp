// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// check_threads DIR RANKS: whether each DIR/rank-N.airtrace has all calls of traced_threads.
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "mpitests/pola/threads_calls.hpp"
#include "pola/trace_reader.hpp"

namespace airamp::traced {
namespace {

void check(const std::string& path) {
  pola::TraceReader reader(path);
  std::map<std::uint32_t, std::map<std::uint64_t, int>> calls;  // by communicator and bytes
  std::map<std::uint32_t, std::int64_t> left;
  pola::TraceEvent event;
  while (reader.next(event)) {
    ++calls[event.communicator][event.bytes];
    if (event.entered_ns < left[event.communicator]) {
      throw std::runtime_error(path + ": calls overlap on one communicator");
    }
    left[event.communicator] = event.left_ns;
  }
  std::map<std::uint64_t, int> sizes;
  for (const auto& [communicator, by_bytes] : calls) {
    if (by_bytes.size() != 1) throw std::runtime_error(path + ": a communicator has calls of another one");
    sizes.insert(*by_bytes.begin());
  }
  std::map<std::uint64_t, int> expected;
  for (int i = 0; i < thread_count; ++i) expected[sizeof(double) * doubles_of(i)] = calls_of_a_thread;
  if (calls.size() != expected.size() || sizes != expected) {
    throw std::runtime_error(path + ": not the calls that the threads made");
  }
}

}  // namespace
}  // namespace airamp::traced

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("check_threads DIR RANKS");
    for (int rank = 0; rank < std::stoi(argv[2]); ++rank) {
      airamp::traced::check(std::string(argv[1]) + "/rank-" + std::to_string(rank) + ".airtrace");
    }
  } catch (const std::exception& error) {
    std::cerr << "check_threads: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
