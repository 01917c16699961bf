// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/gather.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <utility>

#include "apps/airamp/doctor/control_group.hpp"
#include "apps/airamp/doctor/mpi_in_use.hpp"
#include "apps/airamp/doctor/probe_client.hpp"
#include "apps/airamp/preload.hpp"

namespace airamp::doctor {
namespace {

namespace fs = std::filesystem;
using probe::Question;

constexpr double seconds_for_gpus = 30;
constexpr double seconds_for_measurement = 20;

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

/// By the folder that it is installed in; a build's own does not say.
std::optional<MpiFamily> family_of_place(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().filename().string();
  const auto family = std::find_if(command_line::every_mpi_family.begin(), command_line::every_mpi_family.end(),
                                   [&](MpiFamily known) { return to_string(known) == folder; });
  return family == command_line::every_mpi_family.end() ? std::nullopt : std::optional(*family);
}

AirampLibrary airamp_library(const ProbeClient& client, const Request& request, const std::optional<MpiFamily> family,
                             const std::vector<std::string>& mapped) {
  const auto loaded = std::find_if(mapped.begin(), mapped.end(), [](const fs::path& file) {
    return file.filename().string().starts_with("libairamp.so");
  });
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
  if (loaded == mapped.end())
    airamp.trouble = client.ask<probe::Loading>(Question::loading, {airamp.path}, longest_wait_for_library).trouble;
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

/// Memory that may be taken to measure: a quarter of what this process may have, lest the kernel end anybody for it.
std::uint64_t bytes_to_measure(const System& system) {
  constexpr std::uint64_t most = std::uint64_t{2} << 30U;
  const std::string available = system.value("/proc/meminfo", "MemAvailable:").value_or("");  // "16326432 kB"
  std::uint64_t kibibytes = 0;
  std::from_chars(available.data(), available.data() + available.size(), kibibytes);
  return std::min({most, kibibytes * 1024 / 4, group_limits(system, "self").memory.value_or(4 * most) / 4});
}

Measurements measure(const ProbeClient& client, const System& system, const probe::Gpus& gpus) {
  Measurements measured;
  measured.memory = client.ask<probe::MemoryBandwidth>(
      Question::memory_bandwidth, {std::to_string(bytes_to_measure(system))}, seconds_for_measurement);
  measured.flags = client.ask<probe::FlagLatency>(Question::flag_latency, {}, seconds_for_measurement);
  std::vector<std::string> addresses;
  for (const probe::Gpu& gpu : gpus.gpus) addresses.push_back(gpu.address);
  if (!addresses.empty()) {
    measured.gpu_copies = client.ask<probe::GpuCopies>(Question::gpu_copies, addresses, seconds_for_measurement);
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
  subject.topology = client.ask<probe::Topology>(Question::topology, {}, longest_wait_for_library);
  if (request.measure) subject.measurements = measure(client, subject.system, subject.gpus);
  subject.job = std::move(request.job);
  return subject;
}

}  // namespace airamp::doctor
