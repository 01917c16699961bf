// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/manual/man_page.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <vector>

namespace airamp::manual {
namespace {

/// As troff wants text: no line is taken for a request, and a hyphen can be searched for and copied.
std::string escaped(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// Text whose lines stay as they are.
std::string verbatim(const std::string& text) {
  return ".nf\n" + escaped(text) + (text.ends_with('\n') ? "" : "\n") + ".fi\n";
}

bool is_shown(const CLI::Option* option) { return !option->get_group().empty(); }

std::vector<const CLI::Option*> shown_options(const CLI::App& app, bool positional) {
  return app.get_options(
      [positional](const CLI::Option* option) { return is_shown(option) && option->get_positional() == positional; });
}

std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  // "FAMILY:{openmpi,mpich}": what may stand there, the description says better.
  const std::string type = option.get_type_name();
  const std::string name = type.substr(0, type.find(':'));
  return name.empty() || name.find('{') != std::string::npos ? "VALUE" : name;
}

std::string names_of(const CLI::Option& option) {
  std::string text;
  for (const auto& [prefix, names] : {std::pair("-", option.get_snames()), std::pair("--", option.get_lnames())}) {
    for (const std::string& name : names) text += (text.empty() ? "\\fB" : ", \\fB") + escaped(prefix + name) + "\\fR";
  }
  const std::string value = value_of(option);
  return value.empty() ? text : text + " \\fI" + escaped(value) + "\\fR";
}

/// With a full stop, unless something else ends it.
std::string sentence(const std::string& text) {
  return text + (text.empty() || text.find_last_of(".?!:") == text.size() - 1 ? "" : ".");
}

std::string paragraph(const CLI::Option& option, const std::string& heading) {
  std::string text = ".TP\n" + heading + '\n' + escaped(sentence(option.get_description()));
  if (!option.get_default_str().empty()) text += " Default: " + escaped(option.get_default_str()) + '.';
  return text + '\n';
}

/// Arguments and options, by group.
std::string arguments_and_options(const CLI::App& app, const std::string& section) {
  std::string text;
  const auto positionals = shown_options(app, true);
  if (!positionals.empty()) text += section + " ARGUMENTS\n";
  for (const CLI::Option* option : positionals) {
    text += paragraph(*option, "\\fI" + escaped(option->get_name(true)) + "\\fR");
  }
  std::vector<std::string> order;
  std::map<std::string, std::string> groups;
  for (const CLI::Option* option : shown_options(app, false)) {
    const std::string& group = option->get_group();
    if (!groups.contains(group)) order.push_back(group);
    groups[group] += paragraph(*option, names_of(*option));
  }
  for (const std::string& group : order) text += section + " " + upper(group) + '\n' + groups.at(group);
  return text;
}

std::string synopsis(const CLI::App& app, const std::string& words) {
  std::string text = ".B " + escaped(words) + "\n[\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : shown_options(app, true)) {
    text += option->get_required() ? " \\fI" : " [\\fI";
    text += escaped(option->get_name(true));
    text += option->get_required() ? "\\fR" : "\\fR]";
    if (option->get_items_expected_max() > 1) text += "...";
  }
  if (app.get_prefix_command()) text += " [\\fB\\-\\-\\fR] \\fIPROGRAM\\fR [\\fIARGUMENTS\\fR...]";
  if (!app.get_subcommands({}).empty()) text += " \\fICOMMAND\\fR ...";
  return text + '\n';
}

std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  if (line.ends_with(':') || line.ends_with('.')) line.pop_back();
  return line;
}

}  // namespace

std::string page_name(const std::string& words) {
  std::string name = words;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string man_page(const Command& command, const std::string& version) {
  const CLI::App& app = *command.options;
  const std::string name = page_name(command.words);
  const auto subcommands = app.get_subcommands([](const CLI::App*) { return true; });
  std::ostringstream page;
  page << ".TH \"" << escaped(upper(name)) << "\" 1 \"\" \"AIRamp " << version << "\" \"User Commands\"\n"
       << ".SH NAME\n"
       << escaped(name) << " \\- " << escaped(first_line(app.get_description())) << "\n.SH SYNOPSIS\n"
       << synopsis(app, command.words);
  if (app.get_description().find('\n') != std::string::npos) {
    page << ".SH DESCRIPTION\n" << verbatim(app.get_description());
  }
  page << arguments_and_options(app, ".SH");
  if (!subcommands.empty()) page << ".SH COMMANDS\n";
  for (const CLI::App* subcommand : subcommands) {
    const std::string words = command.words + " " + subcommand->get_name();
    if (command.subcommands_have_pages) {
      page << ".TP\n\\fB" << escaped(page_name(words)) << "\\fR(1)\n" << escaped(subcommand->get_description()) << '\n';
      continue;
    }
    page << ".SS " << escaped(words) << '\n'
         << synopsis(*subcommand, words) << ".PP\n"
         << escaped(sentence(subcommand->get_description())) << '\n'
         << arguments_and_options(*subcommand, ".PP\n.B");
    if (!subcommand->get_footer().empty()) page << ".PP\n" << verbatim(subcommand->get_footer());
  }
  if (!app.get_footer().empty()) page << ".SH NOTES\n" << verbatim(app.get_footer());
  const std::size_t program_end = command.words.find(' ');
  if (program_end != std::string::npos) {
    page << ".SH SEE ALSO\n.BR " << escaped(command.words.substr(0, program_end)) << " (1)\n";
  }
  return page.str();
}

}  // namespace airamp::manual
