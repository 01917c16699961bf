// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/tls.hpp"

#include <fmt/format.h>
#include <openssl/err.h>

#include <cstring>
#include <stdexcept>

namespace airamp::sidecar {
namespace {

namespace ssl = boost::asio::ssl;

/// Boost 1.74 has no words for what OpenSSL has from the system.
std::string reason(const boost::system::error_code& error) {
  const auto code = static_cast<unsigned>(error.value());
  return ERR_SYSTEM_ERROR(code) ? std::strerror(ERR_GET_REASON(code)) : error.message();
}

void check(const boost::system::error_code& error, const std::string& file, const char* option) {
  if (error) throw std::runtime_error(fmt::format("cannot use {}: {} (set {})", file, reason(error), option));
}

}  // namespace

ssl::context tls_context(const std::string& certificate_file, const std::string& key_file) {
  ssl::context context(ssl::context::tls_server);
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  // A renegotiation costs the server far more than the client.
  context.set_options(SSL_OP_NO_RENEGOTIATION);
  // A key with a password: a daemon has nobody to ask.
  context.set_password_callback([](std::size_t, ssl::context::password_purpose) { return ""; });
  boost::system::error_code error;
  context.use_certificate_chain_file(certificate_file, error);
  check(error, certificate_file, "--tls-cert");
  context.use_private_key_file(key_file, ssl::context::pem, error);
  check(error, key_file, "--tls-key");
  return context;
}

}  // namespace airamp::sidecar
