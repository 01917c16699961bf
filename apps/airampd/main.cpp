// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <optional>
#include <utility>

#include "apps/airampd/options.hpp"
#include "apps/airampd/reading.hpp"
#include "apps/airampd/server/bearer_token.hpp"
#include "apps/airampd/server/http_handler.hpp"
#include "apps/airampd/server/listener.hpp"
#include "apps/airampd/server/server.hpp"
#include "apps/airampd/server/tls.hpp"
#include "apps/airampd/site.hpp"

namespace airamp::sidecar {
namespace {

void serve(const Options& options) {
  const BearerToken token = options.token_file.empty() ? BearerToken() : BearerToken::from_file(options.token_file);
  std::optional<boost::asio::ssl::context> tls;
  if (!options.tls_certificate.empty()) tls.emplace(tls_context(options.tls_certificate, options.tls_key));
  boost::asio::io_context io(1);
  boost::asio::signal_set ending(io, SIGTERM, SIGINT);
  ending.async_wait([&io](const boost::system::error_code&, int) { io.stop(); });
  Listener listener = listen_on(io, options.address, options.port);
  if ((!listener.loopback || options.all_users) && token.empty()) {
    std::cerr << "airampd: whoever reaches " << listener.address
              << " can read the metrics; --token-file would ask for a token\n";
  }
  if (options.all_users && !may_read_files_of_all()) {
    std::cerr
        << "airampd: cannot read what other users' ranks publish; --all-users needs root or CAP_DAC_READ_SEARCH\n";
  }

  Site site(
      options.all_users ? read_segments_of_all(options.folder) : read_segments(options.folder, options.job, geteuid()),
      token, options.detail ? telemetry::Detail::all : telemetry::Detail::job);
  std::optional<Server> server;
  const HttpHandler handler(
      [&](const HttpRequest& request) {
        site.set_connections(server->connections());
        return site.answer(request);
      },
      [&](int status) { site.count_answer(status); });
  const Limits limits;
  server.emplace(std::move(listener.socket), tls ? &*tls : nullptr, handler, limits);
  std::cerr << "airampd: serving " << (tls ? "https" : "http") << "://" << listener.address << ':' << listener.port
            << "/metrics\n";
  io.run();
  // Answers on their way have a moment to arrive.
  server->finish();
  io.restart();
  io.run_for(limits.farewell_time);
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
