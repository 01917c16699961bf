// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/tls.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>

namespace airamp::sidecar {
namespace {

struct FreeSession {
  void operator()(SSL* session) const { SSL_free(session); }
};

class TlsChannel final : public Channel {
 public:
  TlsChannel(SSL* session, config::FileDescriptor socket) : session_(session), socket_(std::move(socket)) {
    if (session == nullptr || SSL_set_fd(session, socket_.get()) != 1) throw std::bad_alloc();
    SSL_set_accept_state(session);
  }

  Progress read(std::span<char> buffer) override {
    ERR_clear_error();
    return outcome(SSL_read(session_.get(), buffer.data(), limited(buffer.size())));
  }

  Progress write(std::string_view bytes) override {
    ERR_clear_error();
    return outcome(SSL_write(session_.get(), bytes.data(), limited(bytes.size())));
  }

  void end_writing() override {
    if (!broken_) SSL_shutdown(session_.get());
    ::shutdown(socket_.get(), SHUT_WR);
  }

  int socket() const override { return socket_.get(); }

 private:
  static int limited(std::size_t size) {
    return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
  }

  Progress outcome(int result) {
    if (result > 0) return {Progress::Next::go_on, static_cast<std::size_t>(result)};
    switch (SSL_get_error(session_.get(), result)) {
      case SSL_ERROR_WANT_READ:
        return {Progress::Next::wait_readable};
      case SSL_ERROR_WANT_WRITE:
        return {Progress::Next::wait_writable};
      default:
        broken_ = true;
        return {Progress::Next::closed};
    }
  }

  std::unique_ptr<SSL, FreeSession> session_;
  config::FileDescriptor socket_;
  bool broken_ = false;  ///< SSL_shutdown must not be called after an error
};

std::string first_error() {
  const auto code = ERR_peek_error();
  const char* reason = ERR_SYSTEM_ERROR(code) ? std::strerror(ERR_GET_REASON(code)) : ERR_reason_error_string(code);
  ERR_clear_error();
  return reason != nullptr ? reason : "unknown error";
}

/// A key with a password: a daemon has nobody to ask.
int no_password(char*, int, int, void*) { return 0; }

}  // namespace

Tls::Tls(const std::string& certificate_file, const std::string& key_file)
    : context_(SSL_CTX_new(TLS_server_method())) {
  if (context_ == nullptr) throw std::bad_alloc();
  SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
  SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // A renegotiation costs the server far more than the client.
  SSL_CTX_set_options(context_, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_default_passwd_cb(context_, no_password);
  std::string error;
  if (SSL_CTX_use_certificate_chain_file(context_, certificate_file.c_str()) != 1) {
    error = fmt::format("cannot use {}: {} (set --tls-cert)", certificate_file, first_error());
  } else if (SSL_CTX_use_PrivateKey_file(context_, key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    error = fmt::format("cannot use {}: {} (set --tls-key)", key_file, first_error());
  }
  if (error.empty()) return;
  SSL_CTX_free(context_);
  throw std::runtime_error(error);
}

Tls::~Tls() { SSL_CTX_free(context_); }

std::unique_ptr<Channel> Tls::make_channel(config::FileDescriptor socket) const {
  return std::make_unique<TlsChannel>(SSL_new(context_), std::move(socket));
}

}  // namespace airamp::sidecar
