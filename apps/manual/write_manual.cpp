// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/manual/write_manual.hpp"

#include <fstream>
#include <stdexcept>

#include "apps/manual/bash_completion.hpp"
#include "apps/manual/man_page.hpp"

namespace airamp::manual {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

}  // namespace

void write_manual(const CLI::App& app, const std::string& name, const std::filesystem::path& folder) {
  const std::filesystem::path pages = folder / "man1";
  write(pages / (name + ".1"), man_page({&app, name, true}, AIRAMP_VERSION));
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string words = name + ' ' + subcommand->get_name();
    write(pages / (page_name(words) + ".1"), man_page({subcommand, words, false}, AIRAMP_VERSION));
  }
  write(folder / "completions" / name, bash_completion(app, name));
}

}  // namespace airamp::manual
