// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/serve.hpp"

#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <iostream>
#include <optional>
#include <utility>

#include "apps/airampd/server/credentials.hpp"
#include "apps/airampd/server/http_handler.hpp"
#include "apps/airampd/server/listener.hpp"
#include "apps/airampd/server/server.hpp"
#include "apps/airampd/server/tls.hpp"
#include "apps/airampd/site.hpp"

namespace airamp::sidecar {

void serve(const Options& options, ReadJobs read) {
  Credentials credentials;
  if (!options.token_file.empty()) credentials.allow_token(options.token_file);
  if (!options.basic_auth_file.empty()) credentials.allow_logins(options.basic_auth_file);
  std::optional<boost::asio::ssl::context> tls;
  if (!options.tls_certificate.empty()) tls.emplace(tls_context(options.tls_certificate, options.tls_key));
  boost::asio::io_context io(1);
  boost::asio::signal_set ending(io, SIGTERM, SIGINT);
  ending.async_wait([&io](const boost::system::error_code&, int) { io.stop(); });
  Listener listener = listen_on(io, options.address, options.port);
  if ((!listener.loopback || options.all_users) && credentials.empty()) {
    std::cerr << "airampd: whoever reaches " << listener.address
              << " can read the metrics; --token-file or --basic-auth-file would ask who it is\n";
  }

  Site site(std::move(read), std::move(credentials), options.detail);
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

}  // namespace airamp::sidecar
