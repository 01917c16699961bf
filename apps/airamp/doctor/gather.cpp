// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/gather.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <utility>

#include "apps/airamp/child_output.hpp"
#include "apps/airamp/doctor/probe_client.hpp"
#include "apps/airamp/mpi_family/linked_family.hpp"
#include "apps/airamp/preload.hpp"

namespace airamp::doctor {
namespace {

namespace fs = std::filesystem;
using command_line::find_program;
using command_line::linked_mpi_library;
using probe::Question;

constexpr double seconds_for_library = 15;
constexpr double seconds_for_gpus = 30;
constexpr double seconds_for_measurement = 20;

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
    answer = client.ask<probe::MpiLibrary>(Question::mpi_library, {file}, seconds_for_library);
    if (answer.trouble.empty()) break;
  }
  return answer;
}

MpiInUse mpi_of_launcher(const ProbeClient& client) {
  MpiInUse mpi{.whose = "mpirun"};
  const std::string launcher = find_program("mpirun");
  if (launcher.empty()) {
    mpi.trouble = "there is no mpirun in any folder of PATH";
    return mpi;
  }
  mpi.family = family_of_text(command_line::output_of({launcher, "--version"}, seconds_for_library).text);
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
  if (linked->file.empty()) {
    mpi.library.trouble = "the loader does not find its MPI library";
  } else {
    mpi.library = ask_first(client, {linked->file});
  }
  return mpi;
}

/// Files that a process has mapped, each once.
std::vector<std::string> mapped_files(const System& system, const std::string& process) {
  std::vector<std::string> files;
  std::istringstream lines(system.bytes("/proc/" + process + "/maps").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find('/');
    if (begin == std::string::npos) continue;
    std::string file = line.substr(begin);
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(std::move(file));
  }
  return files;
}

std::string name_of(const std::string& file) { return file.substr(file.rfind('/') + 1); }

/// What a running rank has loaded.
MpiInUse mpi_of_rank(const ProbeClient& client, const std::vector<std::string>& files,
                     const telemetry::RankSnapshot& rank) {
  MpiInUse mpi{.whose = rank.program, .family = family_of_text(rank.mpi)};
  if (!mpi.family) mpi.trouble = "the MPI library of the job is not known: " + rank.mpi;
  const auto file = std::find_if(files.begin(), files.end(), [](const std::string& path) {
    return command_line::family_of_library(name_of(path)).has_value();
  });
  if (file != files.end()) mpi.library = ask_first(client, {*file});
  if (file == files.end() || !mpi.library.trouble.empty()) mpi.library = {.version = rank.mpi};
  return mpi;
}

/// By the folder that it is installed in; a build's own does not say.
std::optional<MpiFamily> family_of_place(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().filename().string();
  const auto family = std::find_if(command_line::every_mpi_family.begin(), command_line::every_mpi_family.end(),
                                   [&](MpiFamily known) { return to_string(known) == folder; });
  return family == command_line::every_mpi_family.end() ? std::nullopt : std::optional(*family);
}

AirampLibrary airamp_library(const ProbeClient& client, const Request& request, const std::optional<MpiFamily> family,
                             const std::vector<std::string>& mapped) {
  const auto loaded = std::find_if(mapped.begin(), mapped.end(),
                                   [](const std::string& file) { return name_of(file).starts_with("libairamp.so"); });
  command_line::Library found;
  if (loaded != mapped.end()) {
    found.path = *loaded;
  } else {
    found = command_line::find_library({.file = request.library, .family = {}, .program = request.program});
    // Both are installed, and no program says which of them it wants.
    if (found.path.empty() && request.library.empty() && family) {
      const auto other = command_line::find_library({.file = {}, .family = family, .program = {}});
      if (!other.path.empty()) found = other;
    }
  }
  AirampLibrary airamp{.path = found.path, .family = {}, .trouble = found.trouble};
  if (airamp.path.empty()) return airamp;
  std::error_code error;
  airamp.family = family_of_place(airamp.path);
  airamp.cuda_plugin = fs::exists(fs::path(airamp.path).parent_path() / "libairamp-cuda.so", error);
  airamp.trouble = client.ask<probe::Loading>(Question::loading, {airamp.path}, seconds_for_library).trouble;
  return airamp;
}

/// The environment that a process was started with; this one's where it cannot be read.
config::Environment environment_of(const System& system, const std::string& process) {
  const auto text = system.bytes("/proc/" + process + "/environ");
  if (!text || text->empty()) return system.environment;
  std::map<std::string, std::string> variables;
  std::istringstream entries(*text);
  for (std::string entry; std::getline(entries, entry, '\0');) {
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos) variables[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return config::fixed_environment(std::move(variables));
}

RankCount rank_count(const Request& request, const System& system) {
  if (!request.job.empty()) return {static_cast<int>(request.job.size()), true};
  if (request.ranks > 0) return {request.ranks, true};
  for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"}) {
    const std::string text = system.variable(variable);
    int number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec == std::errc() && number > 0) return {number, true};
  }
  return {std::max(1, static_cast<int>(system.processors_of("self").size())), false};
}

Measurements measure(const ProbeClient& client, const probe::Gpus& gpus) {
  Measurements measured;
  measured.memory = client.ask<probe::MemoryBandwidth>(Question::memory_bandwidth, {}, seconds_for_measurement);
  measured.flags = client.ask<probe::FlagLatency>(Question::flag_latency, {}, seconds_for_measurement);
  std::vector<std::string> addresses;
  for (const probe::Gpu& gpu : gpus.gpus) addresses.push_back(gpu.address);
  if (!addresses.empty()) {
    measured.gpu_copies =
        client.ask<probe::GpuCopies>(Question::gpu_copies, std::move(addresses), seconds_for_measurement);
  }
  return measured;
}

}  // namespace

Subject gather(Request request) {
  const ProbeClient client;
  Subject subject;
  subject.system = this_system();
  subject.ranks = rank_count(request, subject.system);
  std::vector<std::string> mapped;
  if (!request.job.empty()) {
    const telemetry::RankSnapshot& first = request.job.front();
    subject.process = std::to_string(first.process);
    subject.system.environment = environment_of(subject.system, subject.process);
    mapped = mapped_files(subject.system, subject.process);
    subject.mpi = mpi_of_rank(client, mapped, first);
  } else {
    subject.mpi = request.program.empty() ? mpi_of_launcher(client) : mpi_of_program(client, request.program);
  }
  subject.airamp = airamp_library(client, request, subject.mpi.family, mapped);
  subject.gpus = client.ask<probe::Gpus>(Question::gpus, {}, seconds_for_gpus);
  subject.topology = client.ask<probe::Topology>(Question::topology, {}, seconds_for_library);
  if (request.measure) subject.measurements = measure(client, subject.gpus);
  subject.job = std::move(request.job);
  return subject;
}

}  // namespace airamp::doctor
