// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "apps/airampd/server/connections.hpp"

namespace airamp::sidecar {

/// A client whose connection is served in the same thread, through a pair of sockets.
class ServedClient {
 public:
  ServedClient(boost::asio::io_context& io, const HttpHandler& handler, Connections& connections)
      : io_(io), socket_(io), served_(io), handler_(handler), connections_(connections) {
    boost::asio::local::connect_pair(socket_, served_);
    socket_.non_blocking(true);
  }

  /// What was sent before is there when the connection begins.
  void connect() { std::make_shared<Connection>(std::move(served_), nullptr, handler_, connections_)->start(); }

  void send(std::string_view bytes) {
    boost::system::error_code ignored;
    boost::asio::write(socket_, boost::asio::buffer(bytes), ignored);
  }

  /// Sends nothing more, and still takes what it is sent.
  void end() {
    boost::system::error_code ignored;
    socket_.shutdown(boost::asio::socket_base::shutdown_send, ignored);
  }

  /// Has the connection do all that it can without waiting.
  void poll() {
    io_.restart();
    io_.poll();
  }

  /// Takes at most so many bytes from what was sent to it; returns whether there were any.
  bool take(std::size_t most = 65536) {
    std::array<char, 65536> buffer;
    boost::system::error_code error;
    const std::size_t count = socket_.read_some(boost::asio::buffer(buffer.data(), most), error);
    received_.append(buffer.data(), count);
    ended_ = ended_ || (error && error != boost::asio::error::would_block);
    return count > 0;
  }

  /// Both, for as long as there is something to do.
  void poll_and_take() {
    do poll();
    while (take());
  }

  const std::string& received() const { return received_; }
  bool ended() const { return ended_; }  ///< was told that nothing more comes

 private:
  boost::asio::io_context& io_;
  boost::asio::local::stream_protocol::socket socket_;
  boost::asio::local::stream_protocol::socket served_;
  const HttpHandler& handler_;
  Connections& connections_;
  std::string received_;
  bool ended_ = false;
};

}  // namespace airamp::sidecar
