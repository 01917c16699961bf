// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstddef>

#include "apps/airampd/server/connections.hpp"
#include "apps/airampd/server/http_handler.hpp"
#include "apps/airampd/server/limits.hpp"

namespace airamp::sidecar {

/// Serves many connections from one thread, that which runs the acceptor's io_context. When there are too many, those
/// give way that have waited longest without a request: clients that do nothing, or are slow on purpose, cannot keep a
/// scraper out.
class Server {
 public:
  /// `tls`: null for plain HTTP. It and `handler` are needed for as long as the io_context runs. Has the
  /// process open as many files as `limits` need, or lowers them to what it may.
  Server(boost::asio::ip::tcp::acceptor acceptor, boost::asio::ssl::context* tls, const HttpHandler& handler,
         const Limits& limits);

  /// Takes no more requests. The io_context runs out of work when the answers on their way have been taken.
  void finish();

  std::size_t connections() const { return connections_.size(); }

 private:
  void accept();

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ssl::context* tls_;
  const HttpHandler& handler_;
  Connections connections_;
};

}  // namespace airamp::sidecar
