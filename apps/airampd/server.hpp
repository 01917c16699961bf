// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>

#include "apps/airampd/connection.hpp"
#include "apps/airampd/http_handler.hpp"
#include "apps/airampd/tls.hpp"
#include "config/file_descriptor.hpp"

namespace airamp::sidecar {

/// Serves many connections from one thread, by epoll. When there are too many, those give way that have waited longest
/// without a request: clients that do nothing, or are slow on purpose, cannot keep a scraper out.
class Server {
 public:
  static constexpr std::size_t max_connections = 4096;
  static constexpr std::size_t max_held_bytes = std::size_t{64} << 20U;  ///< of all answers together

  /// `tls`: null for plain HTTP. `listening` and `ending`, which becomes readable when the server is to end, outlive
  /// the server. Throws std::system_error.
  Server(int listening, int ending, const Tls* tls, HttpHandler& handler);

  /// Returns when told to end, after answers on their way have had a second. Throws std::system_error.
  void run();

  std::size_t connections() const { return connections_.size(); }

 private:
  using Clock = Connection::Clock;
  using Connections = std::unordered_map<int, std::unique_ptr<Connection>>;

  void accept_clients();
  void make_room();
  void advance(int socket);
  void watch(Connection& connection, int operation) const;
  void sweep();
  void limit_held_bytes();
  void wait(int milliseconds);

  int listening_;
  int ending_;
  const Tls* tls_;
  HttpHandler& handler_;
  config::FileDescriptor poll_;
  Connections connections_;
  std::size_t limit_;
  bool ended_ = false;
};

}  // namespace airamp::sidecar
