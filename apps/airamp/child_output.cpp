// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/child_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "base/file_descriptor.hpp"

namespace airamp::command_line {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become(char* const* arguments, int output) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

/// Milliseconds until then, for poll(2).
int left_until(Clock::time_point end) {
  return static_cast<int>(std::max<std::chrono::milliseconds::rep>(
      0, std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count()));
}

/// Reads until the other end is closed by all who have it; false if that was not before `end`.
bool read_all(int descriptor, Clock::time_point end, std::string& text) {
  std::array<char, 4096> part;
  for (;;) {
    pollfd readable{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = poll(&readable, 1, left_until(end));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return false;
    const ssize_t size = read(descriptor, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return true;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

ChildOutput output_of(std::vector<std::string> command, double seconds) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);

  ChildOutput output;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return output;
  const base::FileDescriptor reading(ends[0]);
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  pid_t child = -1;
  {
    const base::FileDescriptor writing(ends[1]);
    child = fork();
    if (child == 0) become(arguments.data(), ends[1]);
  }
  if (child < 0) return output;
  output.timed_out = !read_all(reading.get(), end, output.text);
  if (output.timed_out) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  output.succeeded = !output.timed_out && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return output;
}

}  // namespace airamp::command_line
