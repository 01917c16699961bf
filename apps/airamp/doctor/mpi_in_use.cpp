// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/mpi_in_use.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "apps/airamp/child_output.hpp"
#include "apps/airamp/linked_program/find_program.hpp"
#include "apps/airamp/linked_program/linked_family.hpp"

namespace airamp::doctor {
namespace {

namespace fs = std::filesystem;
using command_line::find_program;
using command_line::linked_mpi_library;
using probe::Question;

/// The family that a launcher's own text names.
std::optional<MpiFamily> family_of_text(const std::string& text) {
  for (const char* name : {"Open MPI", "OpenRTE", "PRTE", "prte"}) {
    if (text.find(name) != std::string::npos) return MpiFamily::openmpi;
  }
  for (const char* name : {"HYDRA", "MPICH", "Intel(R) MPI", "MVAPICH"}) {
    if (text.find(name) != std::string::npos) return MpiFamily::mpich;
  }
  return {};
}

/// Files that may be the MPI library of a launcher: in its own prefix, and those that the loader knows.
std::vector<std::string> library_candidates(const std::string& launcher, MpiFamily family) {
  std::error_code error;
  const fs::path prefix = fs::canonical(launcher, error).parent_path().parent_path();
  const std::vector<std::string> names = family == MpiFamily::openmpi
                                             ? std::vector<std::string>{"libmpi.so.40"}
                                             : std::vector<std::string>{"libmpi.so.12", "libmpich.so.12"};
  std::vector<std::string> candidates;
  for (const char* folder : {"lib", "lib64"}) {
    for (const std::string& name : names) {
      const std::string file = (prefix / folder / name).string();
      if (fs::exists(file, error)) candidates.push_back(file);
    }
  }
  candidates.insert(candidates.end(), names.begin(), names.end());
  return candidates;
}

/// The first that can be asked; the last trouble if none can.
probe::MpiLibrary ask_first(const ProbeClient& client, const std::vector<std::string>& files) {
  probe::MpiLibrary answer;
  for (const std::string& file : files) {
    answer = client.ask<probe::MpiLibrary>(Question::mpi_library, {file}, longest_wait_for_library);
    if (answer.trouble.empty()) break;
  }
  return answer;
}

/// That a launcher belongs to.
std::optional<MpiFamily> family_of_launcher(const std::string& launcher) {
  if (launcher.empty()) return {};
  return family_of_text(command_line::output_of({launcher, "--version"}, longest_wait_for_library).text);
}

}  // namespace

MpiInUse mpi_of_launcher(const ProbeClient& client) {
  MpiInUse mpi{.whose = "mpirun"};
  const std::string launcher = find_program("mpirun");
  if (launcher.empty()) {
    mpi.trouble = "there is no mpirun in any folder of PATH";
    return mpi;
  }
  mpi.family = family_of_launcher(launcher);
  if (mpi.family) {
    mpi.library = ask_first(client, library_candidates(launcher, *mpi.family));
  } else {
    mpi.trouble = launcher + " does not say which MPI library it belongs to";
  }
  return mpi;
}

MpiInUse mpi_of_program(const ProbeClient& client, const std::string& program) {
  MpiInUse mpi{.whose = program};
  const auto linked = linked_mpi_library(program);
  if (!linked) {
    mpi.trouble = program + " is not linked with a shared MPI library";
    return mpi;
  }
  mpi.family = linked->family;
  mpi.launcher = family_of_launcher(find_program("mpirun"));
  if (linked->file.empty()) {
    mpi.library.trouble = "the loader does not find its MPI library";
  } else {
    mpi.library = ask_first(client, {linked->file});
  }
  return mpi;
}

MpiInUse mpi_of_rank(const ProbeClient& client, const std::vector<std::string>& mapped,
                     const telemetry::RankSnapshot& rank) {
  MpiInUse mpi{.whose = rank.program, .family = family_of_text(rank.mpi)};
  if (!mpi.family) mpi.trouble = "the MPI library of the job is not known: " + rank.mpi;
  const auto file = std::find_if(mapped.begin(), mapped.end(), [](const fs::path& path) {
    return command_line::family_of_library(path.filename().string()).has_value();
  });
  if (file != mapped.end()) mpi.library = ask_first(client, {*file});
  if (file == mapped.end() || !mpi.library.trouble.empty()) mpi.library = {.version = rank.mpi};
  return mpi;
}

}  // namespace airamp::doctor
