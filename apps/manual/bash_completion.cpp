// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/manual/bash_completion.hpp"

#include <vector>

namespace airamp::manual {
namespace {

std::string words_of(const CLI::App& app) {
  std::string words;
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    words += subcommand->get_name() + ' ';
  }
  for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return !o->get_group().empty(); })) {
    for (const std::string& name : option->get_lnames()) words += "--" + name + ' ';
  }
  if (!words.empty()) words.pop_back();
  return words;
}

/// One line for `app` and each of its subcommands, by the words that lead there.
std::string cases_of(const CLI::App& app, const std::string& words) {
  std::string lines = "    '" + words + "') candidates='" + words_of(app) + "' ;;\n";
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    lines += cases_of(*subcommand, words + ' ' + subcommand->get_name());
  }
  return lines;
}

void add_paths(const CLI::App& app, const std::string& words, std::string& paths) {
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string path = words + ' ' + subcommand->get_name();
    paths += (paths.empty() ? "'" : " | '") + path + '\'';
    add_paths(*subcommand, path, paths);
  }
}

}  // namespace

std::string bash_completion(const CLI::App& app, const std::string& name) {
  std::string paths;
  add_paths(app, name, paths);
  std::string text =
      "# Completion of " + name + " for bash.\n_" + name + "() {\n  local path='" + name + "' candidates='' i\n";
  if (!paths.empty()) {
    text += "  for ((i = 1; i < COMP_CWORD; i++)); do\n    case \"$path ${COMP_WORDS[i]}\" in\n      " + paths +
            ") path+=\" ${COMP_WORDS[i]}\" ;;\n    esac\n  done\n";
  }
  return text + "  case $path in\n" + cases_of(app, name) +
         "  esac\n  COMPREPLY=()\n  while IFS= read -r i; do COMPREPLY+=(\"$i\"); done < <(compgen -W \"$candidates\" "
         "-- "
         "\"${COMP_WORDS[COMP_CWORD]}\")\n}\ncomplete -o default -F _" +
         name + " " + name + "\n";
}

}  // namespace airamp::manual
