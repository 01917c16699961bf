// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <string>

namespace airamp::sidecar {

/// A listening TCP socket.
struct Listener {
  boost::asio::ip::tcp::acceptor socket;
  std::string address;  ///< as it stands in a URL: IPv6 in brackets
  std::uint16_t port = 0;
  bool loopback = false;
};

/// Listens on one address; IPv6 ones take no IPv4 connections but "::", which takes both. Throws std::runtime_error
/// with a message that names the setting to change.
Listener listen_on(boost::asio::io_context& io, const std::string& address, std::uint16_t port);

}  // namespace airamp::sidecar
