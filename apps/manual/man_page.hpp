// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace airamp::manual {

/// One command that has a page of its own.
struct Command {
  const CLI::App* options =
      nullptr;        ///< what it parses; what of its subcommands have pages of their own is named alone
  std::string words;  ///< as it is called, e.g. "airamp exec"
  bool subcommands_have_pages = false;
};

/// The page of a command for section 1 of the manual, in the language of man(7). `version` is AIRamp's.
std::string man_page(const Command& command, const std::string& version);

/// "airamp exec" as pages and files are called: "airamp-exec".
std::string page_name(const std::string& words);

}  // namespace airamp::manual
