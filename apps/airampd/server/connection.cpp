// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/connection.hpp"

#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/beast/http/write.hpp>
#include <string_view>
#include <utility>

#include "apps/airampd/server/connections.hpp"

namespace airamp::sidecar {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

Connection::Connection(Socket socket, asio::ssl::context* tls, const HttpHandler& handler, Connections& connections)
    : socket_(std::move(socket)), handler_(handler), connections_(connections), timer_(socket_.get_executor()) {
  if (tls != nullptr) tls_.emplace(socket_, *tls);
}

template <class Operation>
void Connection::with_stream(Operation operation) {
  if (tls_) {
    operation(*tls_);
  } else {
    operation(socket_);
  }
}

auto Connection::then(void (Connection::*next)()) {
  return [self = shared_from_this(), next](const error_code& error, auto...) {
    if (error || !self->socket_.is_open()) return self->close();
    ((*self).*next)();
  };
}

void Connection::start() {
  enter(State::waiting, connections_.limits().request_time);
  if (tls_) {
    tls_->async_handshake(asio::ssl::stream_base::server, then(&Connection::wait_for_request));
  } else {
    wait_for_request();
  }
}

void Connection::finish() {
  keep_open_ = false;
  if (state_ == State::waiting || state_ == State::reading) close();
}

void Connection::close() {
  unlink();
  timer_.cancel();
  error_code ignored;
  socket_.close(ignored);
}

void Connection::enter(State state, std::chrono::milliseconds time) {
  state_ = state;
  connections_.put_last(*this);
  timer_.expires_after(time);
  timer_.async_wait([self = shared_from_this()](const error_code& error) {
    if (!error && self->timer_.expiry() <= asio::steady_timer::clock_type::now()) self->time_out();
  });
}

void Connection::time_out() {
  if (state_ != State::reading) return close();
  error_code ignored;
  socket_.cancel(ignored);
}

void Connection::wait_for_request() {
  with_stream([this](auto& stream) {
    asio::async_read(stream, asio::dynamic_buffer(input_, connections_.limits().request_bytes),
                     asio::transfer_at_least(1), then(&Connection::read_request));
  });
}

void Connection::read_request() {
  enter(State::reading, connections_.limits().request_time);
  with_stream([this](auto& stream) {
    asio::async_read_until(
        stream, asio::dynamic_buffer(input_, connections_.limits().request_bytes), "\r\n\r\n",
        [self = shared_from_this()](const error_code& error, std::size_t size) { self->take_request(error, size); });
  });
}

void Connection::take_request(error_code error, std::size_t size) {
  if (!socket_.is_open()) return;
  if (error == asio::error::not_found) return send(handler_.refuse(http::status::request_header_fields_too_large));
  // Who has begun a request is told why it ends.
  if (error == asio::error::operation_aborted) return send(handler_.refuse(http::status::request_timeout));
  if (error) return close();
  // More than one request at once is not served: it would let one client keep the others waiting.
  const bool last = ++requests_ >= connections_.limits().requests || input_.size() > size;
  send(handler_.answer(std::string_view(input_).substr(0, size), last));
}

void Connection::send(HttpHandler::Answer answer) {
  keep_open_ = answer.keep_alive();
  answer_ = std::move(answer);
  input_.clear();
  enter(State::writing, connections_.limits().answer_time);
  with_stream([this](auto& stream) { http::async_write(stream, *answer_, then(&Connection::go_on)); });
  connections_.limit_held_bytes();
}

void Connection::go_on() {
  answer_.reset();
  if (keep_open_) {
    enter(State::waiting, connections_.limits().idle_time);
    return wait_for_request();
  }
  enter(State::farewell, connections_.limits().farewell_time);
  if (!tls_) return drain();
  tls_->async_shutdown([self = shared_from_this()](const error_code&) { self->drain(); });
}

void Connection::drain() {
  // Closing while the client still sends would reset the connection, and with it the answer on its way.
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  input_.resize(connections_.limits().request_bytes);
  socket_.async_read_some(asio::buffer(input_), then(&Connection::drain));
}

}  // namespace airamp::sidecar
