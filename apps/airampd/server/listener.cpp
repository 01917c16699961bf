// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/listener.hpp"

#include <fmt/format.h>

#include <boost/asio/ip/v6_only.hpp>
#include <stdexcept>

namespace airamp::sidecar {

Listener listen_on(boost::asio::io_context& io, const std::string& address, std::uint16_t port) {
  using Acceptor = boost::asio::ip::tcp::acceptor;
  boost::system::error_code error;
  const auto ip = boost::asio::ip::make_address(address, error);
  if (error) {
    throw std::runtime_error(
        fmt::format("cannot listen on '{}': not an IPv4 or IPv6 address (set AIRAMP_METRICS_ADDR)", address));
  }
  Listener listener{.socket = Acceptor(io),
                    .address = ip.is_v6() ? fmt::format("[{}]", address) : address,
                    .loopback = ip.is_loopback()};
  try {
    const boost::asio::ip::tcp::endpoint endpoint(ip, port);
    listener.socket.open(endpoint.protocol());
    listener.socket.set_option(Acceptor::reuse_address(true));
    // Connections inherit it: what a client does not take shall not pile up in the kernel, where no limit of ours
    // counts.
    listener.socket.set_option(Acceptor::send_buffer_size(64 << 10));
    if (ip.is_v6()) listener.socket.set_option(boost::asio::ip::v6_only(!ip.is_unspecified()));
    listener.socket.bind(endpoint);
    listener.socket.listen();
    listener.port = listener.socket.local_endpoint().port();
  } catch (const boost::system::system_error& failed) {
    const bool no_address = failed.code() == boost::system::errc::address_not_available;
    throw std::runtime_error(fmt::format("cannot listen on {}:{}: {} (set {})", listener.address, port,
                                         failed.code().message(),
                                         no_address ? "AIRAMP_METRICS_ADDR" : "AIRAMP_METRICS_PORT"));
  }
  return listener;
}

}  // namespace airamp::sidecar
