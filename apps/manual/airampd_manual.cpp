// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Part of the build: airampd_manual FOLDER writes the manual of airampd.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "apps/airampd/options.hpp"
#include "apps/manual/write_manual.hpp"
#include "config/settings.hpp"

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  // The defaults, whatever the environment of the build says.
  airamp::sidecar::Options options = airamp::sidecar::default_options({});
  CLI::App app("", "airampd");
  airamp::sidecar::add_options(app, options);
  airamp::manual::write_manual(app, "airampd", argv[1]);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "airampd_manual: " << error.what() << '\n';
  return 1;
}
