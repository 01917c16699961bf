// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Part of the build: airamp_bench_manual FOLDER writes the manual of airamp_bench.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "apps/manual/write_manual.hpp"
#include "options.hpp"

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  airamp::benchmark::Options options;
  CLI::App app;
  airamp::benchmark::add_options(app, options);
  airamp::manual::write_manual(app, "airamp_bench", argv[1]);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "airamp_bench_manual: " << error.what() << '\n';
  return 1;
}
