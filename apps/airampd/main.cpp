// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <optional>

#include "apps/airampd/bearer_token.hpp"
#include "apps/airampd/http_handler.hpp"
#include "apps/airampd/listener.hpp"
#include "apps/airampd/options.hpp"
#include "apps/airampd/reading.hpp"
#include "apps/airampd/server.hpp"
#include "apps/airampd/site.hpp"
#include "apps/airampd/tls.hpp"

namespace airamp::sidecar {
namespace {

/// Becomes readable at SIGTERM or SIGINT, which then do nothing else.
config::FileDescriptor end_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  return config::FileDescriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

void serve(const Options& options) {
  const BearerToken token = options.token_file.empty() ? BearerToken() : BearerToken::from_file(options.token_file);
  std::optional<Tls> tls;
  if (!options.tls_certificate.empty()) tls.emplace(options.tls_certificate, options.tls_key);
  const config::FileDescriptor ending = end_signals();
  const Listener listener = listen_on(options.address, options.port);
  if (!listener.loopback && token.empty()) {
    std::cerr << "airampd: whoever reaches " << listener.address
              << " can read the metrics; --token-file would ask for a token\n";
  }

  Site site(read_segments(options.folder, options.job, geteuid()), token);
  std::optional<Server> server;
  HttpHandler handler(
      [&](const HttpRequest& request) {
        site.set_connections(server->connections());
        return site.answer(request);
      },
      [&](int status) { site.count_answer(status); });
  server.emplace(listener.socket.get(), ending.get(), tls ? &*tls : nullptr, handler);
  std::cerr << "airampd: serving " << (tls ? "https" : "http") << "://" << listener.address << ':' << listener.port
            << "/metrics\n";
  server->run();
}

}  // namespace
}  // namespace airamp::sidecar

int main(int argc, char** argv) {
  airamp::sidecar::Options options;
  const int exit_code = airamp::sidecar::parse_options(argc, argv, options);
  if (exit_code >= 0) return exit_code;
  // A client that goes away while it is written to must not end the program.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    airamp::sidecar::serve(options);
  } catch (const std::exception& error) {
    std::cerr << "airampd: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
