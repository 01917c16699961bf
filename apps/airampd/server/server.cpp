// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/server.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

namespace airamp::sidecar {
namespace {

using boost::asio::ip::tcp;

constexpr std::size_t other_files = 64;  ///< descriptors that are not connections

/// No more connections than the process may have files open.
Limits with_files(Limits limits) {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return limits;
  const rlim_t wanted = std::min<rlim_t>(files.rlim_max, limits.connections + other_files);
  if (files.rlim_cur < wanted) {
    files.rlim_cur = wanted;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  getrlimit(RLIMIT_NOFILE, &files);
  const rlim_t spare = files.rlim_cur > 2 * other_files ? files.rlim_cur - other_files : files.rlim_cur / 2;
  limits.connections = std::clamp<std::size_t>(spare, 1, limits.connections);
  return limits;
}

}  // namespace

Server::Server(tcp::acceptor acceptor, boost::asio::ssl::context* tls, const HttpHandler& handler, const Limits& limits)
    : acceptor_(std::move(acceptor)), tls_(tls), handler_(handler), connections_(with_files(limits)) {
  accept();
}

void Server::accept() {
  acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket client) {
    if (error == boost::asio::error::operation_aborted) return;
    try {
      // After an error, of files or memory, the client stays in the queue until there is room.
      if (error || connections_.size() >= connections_.limits().connections) connections_.make_room();
      if (!error) std::make_shared<Connection>(std::move(client), tls_, handler_, connections_)->start();
    } catch (const std::exception&) {
      connections_.make_room();  // out of memory
    }
    accept();
  });
}

void Server::finish() {
  acceptor_.close();
  connections_.finish();
}

}  // namespace airamp::sidecar
