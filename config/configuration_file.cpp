// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "config/configuration_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/file_descriptor.hpp"

namespace airamp::config {
namespace {

std::string error_text(int error) { return std::generic_category().message(error); }

// What is wrong with the file; nothing if `text` now holds its content.
std::optional<std::string> read_all(const base::FileDescriptor& descriptor, std::string& text) {
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0) return "cannot be read: " + error_text(errno);
  if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode)) return "is not a regular file";  // /dev/null is welcome
  std::vector<char> buffer(1U << 16U);
  for (;;) {
    const ssize_t count = read(descriptor.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return "cannot be read: " + error_text(errno);
    if (count == 0) return std::nullopt;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > largest_configuration_file) return "is too large; at most 1 MiB is allowed";
  }
}

// Whether the file is not there, or is hidden by a directory that this user may not enter.
bool is_absent(const std::string& name) {
  struct stat status {};
  return stat(name.c_str(), &status) != 0;
}

ConfigurationFile read_file(const std::string& name, const std::string& named_by) {
  ConfigurationFile file;
  file.name = name;
  // Without O_NONBLOCK, a named pipe would stop the job here for ever.
  const base::FileDescriptor descriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const int open_error = errno;
  const std::optional<std::string> problem =
      !descriptor.valid() ? "cannot be read: " + error_text(open_error) : read_all(descriptor, file.text);
  if (problem) file.error = name + ": " + named_by + " " + *problem;
  return file;
}

}  // namespace

ConfigurationFile find_configuration_file(const Environment& environment, const std::string& system_file) {
  if (const std::optional<std::string> named = environment.value("AIRAMP_CONFIG")) {
    if (!named->empty()) return read_file(*named, "the file that AIRAMP_CONFIG names");
    ConfigurationFile file;
    file.error = "environment variable AIRAMP_CONFIG: is empty; allowed: the name of a configuration file";
    return file;
  }
  std::vector<std::string> places;
  const std::optional<std::string> home = environment.value("HOME");
  if (home && !home->empty()) places.push_back(*home + "/.config/airamp/airamp.conf");
  places.push_back(system_file);
  for (const std::string& place : places) {
    if (!is_absent(place)) return read_file(place, "the configuration file");
  }
  return {};
}

}  // namespace airamp::config
