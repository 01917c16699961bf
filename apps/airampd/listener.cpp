// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/listener.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace airamp::sidecar {
namespace {

/// An address of either family.
union SocketAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

[[noreturn]] void fail(const std::string& where, int error) {
  const char* setting = error == EADDRNOTAVAIL ? "AIRAMP_METRICS_ADDR" : "AIRAMP_METRICS_PORT";
  throw std::runtime_error(fmt::format("cannot listen on {}: {} (set {})", where, std::strerror(error), setting));
}

}  // namespace

Listener listen_on(const std::string& address, std::uint16_t port) {
  Listener listener;
  SocketAddress local{};
  socklen_t length = 0;
  if (inet_pton(AF_INET, address.c_str(), &local.v4.sin_addr) == 1) {
    local.v4.sin_family = AF_INET;
    local.v4.sin_port = htons(port);
    length = sizeof local.v4;
    listener.loopback = ntohl(local.v4.sin_addr.s_addr) >> 24U == IN_LOOPBACKNET;
    listener.address = address;
  } else if (inet_pton(AF_INET6, address.c_str(), &local.v6.sin6_addr) == 1) {
    local.v6.sin6_family = AF_INET6;
    local.v6.sin6_port = htons(port);
    length = sizeof local.v6;
    listener.loopback = IN6_IS_ADDR_LOOPBACK(&local.v6.sin6_addr);
    listener.address = fmt::format("[{}]", address);
  } else {
    throw std::runtime_error(
        fmt::format("cannot listen on '{}': not an IPv4 or IPv6 address (set AIRAMP_METRICS_ADDR)", address));
  }
  const std::string where = fmt::format("{}:{}", listener.address, port);
  listener.socket =
      config::FileDescriptor(::socket(local.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int socket = listener.socket.get();
  if (socket < 0) fail(where, errno);
  const int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // Connections inherit it: what a client does not take shall not pile up in the kernel, where no limit of ours counts.
  const int send_buffer = 64 << 10;
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer);
  if (local.any.sa_family == AF_INET6) {
    const int only = IN6_IS_ADDR_UNSPECIFIED(&local.v6.sin6_addr) ? 0 : 1;
    setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
  }
  if (::bind(socket, &local.any, length) != 0 || ::listen(socket, SOMAXCONN) != 0) fail(where, errno);
  getsockname(socket, &local.any, &length);
  listener.port = ntohs(local.any.sa_family == AF_INET ? local.v4.sin_port : local.v6.sin6_port);
  return listener;
}

}  // namespace airamp::sidecar
