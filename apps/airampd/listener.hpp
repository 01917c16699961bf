// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "config/file_descriptor.hpp"

namespace airamp::sidecar {

/// A listening TCP socket, non-blocking.
struct Listener {
  config::FileDescriptor socket;
  std::string address;  ///< as it stands in a URL: IPv6 in brackets
  std::uint16_t port = 0;
  bool loopback = false;
};

/// Listens on one address; IPv6 ones take no IPv4 connections but "::", which takes both. Throws std::runtime_error
/// with a message that names the setting to change.
Listener listen_on(const std::string& address, std::uint16_t port);

}  // namespace airamp::sidecar
