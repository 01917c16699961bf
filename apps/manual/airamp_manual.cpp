// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Part of the build: airamp_manual FOLDER writes the manual of airamp.
#include <exception>
#include <iostream>

#include "apps/airamp/command_line.hpp"
#include "apps/manual/write_manual.hpp"

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  const airamp::command_line::CommandLine commands;
  airamp::manual::write_manual(commands.app, "airamp", argv[1]);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "airamp_manual: " << error.what() << '\n';
  return 1;
}
