// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzz target without a fuzzer: run_seeds [SEEDS [LONGEST]] gives it that many inputs of random bytes, of at
// most LONGEST bytes, the same ones every time. What is wrong ends the program.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  const unsigned long seeds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 3000;
  const unsigned long longest = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 256;
  for (unsigned long seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<std::uint8_t> input(random() % (longest + 1));
    for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random());
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%lu inputs\n", seeds);
  return 0;
}
