// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace airamp::manual {

/// A script that has bash complete the options and subcommands of the program `name`, and names of files for the rest.
std::string bash_completion(const CLI::App& app, const std::string& name);

}  // namespace airamp::manual
