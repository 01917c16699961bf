// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "apps/airampd/channel.hpp"

struct ssl_ctx_st;

namespace airamp::sidecar {

/// A server's certificate and key; makes connections that speak TLS 1.2 or later. Not thread-safe.
class Tls {
 public:
  /// PEM files. Throws std::runtime_error with a message that names the option and the file.
  Tls(const std::string& certificate_file, const std::string& key_file);
  ~Tls();
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  /// The handshake takes place in the first reads. Throws std::bad_alloc.
  std::unique_ptr<Channel> make_channel(config::FileDescriptor socket) const;

 private:
  ssl_ctx_st* context_;
};

}  // namespace airamp::sidecar
