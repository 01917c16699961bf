// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list_hook.hpp>
#include <memory>
#include <optional>
#include <string>

#include "apps/airampd/server/http_handler.hpp"
#include "apps/airampd/server/limits.hpp"

namespace airamp::sidecar {

class Connections;

/// One client's connection, plain or through TLS. What it holds is bounded: a request's headers and one answer, for so
/// long. A client that is slower than that is sent away. It lives for as long as it waits for anything. Not
/// thread-safe.
class Connection final
    : public std::enable_shared_from_this<Connection>,
      public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;

  /// `tls`: null for plain HTTP. The others outlive the connection.
  Connection(Socket socket, boost::asio::ssl::context* tls, const HttpHandler& handler, Connections& connections);

  void start();

  /// Sends no answer after the present one.
  void finish();

  void close();

  /// Whether it is not waiting for an answer's way to the client.
  bool is_idle() const { return !answer_; }
  /// Memory that the present answer takes.
  std::size_t held_bytes() const { return answer_ ? answer_->body().size() : 0; }

 private:
  enum class State {
    waiting,  ///< for a client to begin a request
    reading,  ///< the rest of a request
    writing,  ///< an answer
    farewell  ///< has sent the last one; lets the client take it before closing
  };

  void enter(State state, std::chrono::milliseconds time);
  void time_out();
  void wait_for_request();
  void read_request();
  void take_request(boost::system::error_code error, std::size_t size);
  void send(HttpHandler::Answer answer);
  void go_on();
  void drain();
  /// Calls it with the socket or what encrypts it.
  template <class Operation>
  void with_stream(Operation operation);
  /// What to do at the end of an operation, if it succeeds; the connection ends if not.
  auto then(void (Connection::*next)());

  Socket socket_;
  std::optional<boost::asio::ssl::stream<Socket&>> tls_;
  const HttpHandler& handler_;
  Connections& connections_;
  boost::asio::steady_timer timer_;
  std::string input_;
  std::optional<HttpHandler::Answer> answer_;  ///< on its way
  int requests_ = 0;
  bool keep_open_ = true;
  State state_ = State::waiting;
};

}  // namespace airamp::sidecar
