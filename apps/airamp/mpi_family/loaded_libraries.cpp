// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/mpi_family/loaded_libraries.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>

namespace airamp::command_line {
namespace {

/// What the command writes to its standard output.
std::string output_of(const std::array<const char*, 4>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(ends[1], STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execv(command[0], const_cast<char* const*>(command.data()));
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part;
  while (child > 0) {
    const ssize_t size = read(ends[0], part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
  close(ends[0]);
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return text;
}

}  // namespace

std::vector<std::string> loaded_libraries(const std::string& loader, const std::string& path) {
  // Each line is "  NAME => FILE (ADDRESS)", "  NAME => not found" or "  FILE (ADDRESS)".
  std::istringstream lines(output_of({loader.c_str(), "--list", path.c_str(), nullptr}));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    if (words >> name) names.push_back(name.substr(name.rfind('/') + 1));
  }
  return names;
}

}  // namespace airamp::command_line
