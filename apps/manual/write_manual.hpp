// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace airamp::manual {

/// Writes the pages of the program `name`, one of each subcommand included, into FOLDER/man1, and its completion into
/// FOLDER/completions. Throws std::runtime_error if a file cannot be written.
void write_manual(const CLI::App& app, const std::string& name, const std::filesystem::path& folder);

}  // namespace airamp::manual
