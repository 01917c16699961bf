// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "config/settings.hpp"
#include "telemetry/openmetrics/detail.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 calls it so
class App;
}

namespace airamp::sidecar {

/// What airampd was told: by the configuration file, the environment and its command line, the last being the
/// strongest.
struct Options {
  std::string address;  ///< an IPv4 or IPv6 address
  std::uint16_t port = 0;
  std::string folder;  ///< where ranks keep their segments
  std::string job;     ///< empty: all jobs of the user
  bool all_users = false;
  telemetry::Detail detail = telemetry::Detail::job;
  std::string textfile;  ///< empty: serve by HTTP
  int interval = 15;     ///< seconds between two times that the text file is written
  bool once = false;
  std::string token_file;
  std::string basic_auth_file;
  std::string tls_certificate;
  std::string tls_key;
};

/// What a configuration decides of them.
Options default_options(const config::Settings& settings);

/// Adds them to `app`, with what --help and the manual say. What `options` holds is shown as their defaults.
void add_options(CLI::App& app, Options& options);

/// Reads them into `options`. Returns -1, or the exit code of a program that has nothing more to do, having printed its
/// help or what is wrong.
int parse_options(int argc, char** argv, Options& options);

}  // namespace airamp::sidecar
