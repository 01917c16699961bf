// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/commands/exec_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>
#include <system_error>

#include "apps/airamp/exit_codes.hpp"
#include "apps/airamp/linked_program/sanitizer_runtime.hpp"
#include "apps/airamp/preload.hpp"
#include "config/load.hpp"

namespace airamp::command_line {
namespace {

constexpr const char* footer =
    "Syntax: airamp exec [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
    "The options override environment variables and the configuration file. An LD_PRELOAD that is already set\n"
    "stays in front of AIRamp, and in front of all is the runtime of a program that is linked with AddressSanitizer.\n"
    "For example\n"
    "  mpirun -n 4 airamp exec --enable-fp8-allreduce -- ./app input.txt\n"
    "  srun airamp exec --min-bytes 64K -- ./app input.txt\n"
    "Exit codes: those of PROGRAM; 2 a wrong option, 3 libairamp.so not found or to be named by --mpi,\n"
    "126 PROGRAM cannot be executed, 127 PROGRAM not found.";

std::string option_name(const config::SettingInfo& info) {
  std::string name = "--" + info.key;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

int fail(int code, const std::string& message) {
  std::cerr << "airamp exec: " << message << '\n';
  return code;
}

std::optional<MpiFamily> family_of_name(std::string_view name) {
  const auto family = std::find_if(every_mpi_family.begin(), every_mpi_family.end(),
                                   [name](MpiFamily known) { return to_string(known) == name; });
  return family == every_mpi_family.end() ? std::nullopt : std::optional(*family);
}

// Becomes the program; returns only if that fails.
int become(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  std::cout.flush();
  execvp(arguments[0], arguments.data());
  const int error = errno;
  const std::string& program = command.front();
  if (error != ENOENT && error != ENOTDIR) {
    return fail(exit_not_executable, program + ": cannot be executed: " + std::generic_category().message(error));
  }
  const bool has_folder = program.find('/') != std::string::npos;
  if (has_folder && access(program.c_str(), F_OK) == 0) {
    return fail(exit_not_found, program + ": its interpreter was not found (see its first line, or its ELF header)");
  }
  return fail(exit_not_found, program + ": program not found" + (has_folder ? "" : " in any folder of PATH"));
}

}  // namespace

ExecCommand::ExecCommand(CLI::App& app)
    : command_(app.add_subcommand("exec", "Start a program with AIRamp preloaded into it, and into nothing else")) {
  command_->prefix_command();
  command_->footer(footer);
  command_->add_option("--config", config_, "Configuration file, instead of the one that would be found")
      ->type_name("FILE");
  command_->add_option("--library", library_, "libairamp.so to preload, instead of the one installed with this program")
      ->type_name("FILE");
  command_
      ->add_option(
          "--mpi", mpi_,
          "The program's MPI library, openmpi or mpich with its derivatives, where AIRamp is installed for both. "
          "Without this: what PROGRAM is linked with, else the launcher's")
      ->type_name("FAMILY")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
  command_->add_flag("--print", print_, "Show the environment that PROGRAM would get, and do not run it");
  for (const config::SettingInfo& info : config::setting_infos()) {
    if (info.variable.empty()) continue;
    const std::string help = info.help + " Allowed: " + info.allowed + ". Default: " + info.default_text + ".";
    std::string& value = values_[info.key];
    CLI::Option* option = info.is_boolean ? command_->add_flag(option_name(info), value, help)
                                          : command_->add_option(option_name(info), value, help)->type_name("VALUE");
    options_[info.key] = option->group("Settings")->take_last();
  }
}

std::vector<std::string> ExecCommand::mistakes() const {
  std::vector<std::string> messages;
  for (const config::SettingInfo& info : config::setting_infos()) {
    const auto option = options_.find(info.key);
    if (option == options_.end() || option->second->count() == 0) continue;
    const std::string what = config::check_value(info.key, values_.at(info.key));
    if (!what.empty()) messages.push_back(option_name(info) + ": " + what);
  }
  if (!config_.empty()) {
    const config::Loaded loaded = config::load(config::fixed_environment({{"AIRAMP_CONFIG", config_}}));
    for (const std::string& error : loaded.errors) messages.push_back("--config: " + error);
  }
  return messages;
}

std::map<std::string, std::string> ExecCommand::variables() const {
  std::map<std::string, std::string> result;
  // Absolute, because the program may change its folder before AIRamp reads the file.
  if (!config_.empty()) result["AIRAMP_CONFIG"] = std::filesystem::absolute(config_).string();
  for (const config::SettingInfo& info : config::setting_infos()) {
    const auto option = options_.find(info.key);
    if (option != options_.end() && option->second->count() > 0) result[info.variable] = values_.at(info.key);
  }
  return result;
}

int ExecCommand::run(const std::vector<std::string>& after_dashes, bool has_dashes) const {
  std::vector<std::string> command = command_->remaining();
  if (!command.empty() && command.front().starts_with('-')) {
    return fail(exit_usage, "unknown option " + command.front() + "; 'airamp exec --help' lists the options");
  }
  if (!command.empty() && has_dashes) command.emplace_back("--");
  command.insert(command.end(), after_dashes.begin(), after_dashes.end());
  if (command.empty() && !print_) {
    return fail(exit_usage, "no program given; usage: airamp exec [OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  }

  const std::vector<std::string> messages = mistakes();
  for (const std::string& message : messages) fail(exit_usage, message);
  if (!messages.empty()) return exit_usage;

  const Library library = find_library(
      {.file = library_, .family = family_of_name(mpi_), .program = command.empty() ? std::string() : command.front()});
  if (library.path.empty()) return fail(exit_no_library, library.trouble);
  const std::string first = command.empty() ? std::string() : address_sanitizer_of(command.front());
  for (const std::string& path : {library.path, first}) {
    if (path.find_first_of(": ") == std::string::npos) continue;
    return fail(exit_no_library, path + ": LD_PRELOAD cannot hold a path with a space or colon");
  }

  std::map<std::string, std::string> environment = variables();
  const char* before = std::getenv("LD_PRELOAD");
  std::string& preload = environment["LD_PRELOAD"] = appended_preload(before == nullptr ? "" : before, library.path);
  if (!first.empty()) preload = prepended_preload(preload, first);
  for (const auto& [name, value] : environment) {
    if (print_) std::cout << name << '=' << value << '\n';
    setenv(name.c_str(), value.c_str(), 1);
  }
  return print_ ? exit_ok : become(std::move(command));
}

}  // namespace airamp::command_line
