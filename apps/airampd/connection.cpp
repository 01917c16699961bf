// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/connection.hpp"

#include <array>
#include <utility>

namespace airamp::sidecar {

Connection::Connection(std::unique_ptr<Channel> channel, HttpHandler& handler, Clock::time_point now)
    : channel_(std::move(channel)), handler_(handler), since_(now), deadline_(now + request_time) {}

void Connection::enter(State state, Clock::time_point now, std::chrono::seconds time) {
  state_ = state;
  since_ = now;
  deadline_ = now + time;
}

void Connection::advance(Clock::time_point now) {
  bool go_on = true;
  while (go_on) {
    switch (state_) {
      case State::reading:
        go_on = take_request(now) || read(now);
        break;
      case State::writing:
        go_on = write(now);
        break;
      case State::farewell:
        drain();
        return;
      case State::closed:
        return;
    }
  }
}

void Connection::check_time(Clock::time_point now) {
  if (now < deadline_ || state_ == State::closed) return;
  // Who has begun a request is told why it ends; the others have nothing to be told.
  if (state_ == State::reading && !input_.empty()) {
    send(HttpHandler::refuse(408), now);
    advance(now);
  } else {
    state_ = State::closed;
  }
}

void Connection::finish(Clock::time_point now) {
  keep_open_ = false;
  if (state_ == State::reading) state_ = State::closed;
  advance(now);
}

bool Connection::take_request(Clock::time_point now) {
  const std::size_t end = input_.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (input_.size() < max_request_bytes) return false;
    send(HttpHandler::refuse(431), now);
    return true;
  }
  // More than one request at once is not served: it would let one client keep the others waiting.
  const bool last = ++requests_ >= max_requests || !keep_open_ || input_.size() > end + 4;
  send(handler_.answer(std::string_view(input_).substr(0, end + 4), last), now);
  input_.clear();
  return true;
}

void Connection::send(HttpHandler::Answer answer, Clock::time_point now) {
  handler_.count(answer);
  keep_open_ = keep_open_ && answer.keep_open;
  output_ = std::move(answer.bytes);
  sent_ = 0;
  enter(State::writing, now, answer_time);
}

bool Connection::read(Clock::time_point now) {
  std::array<char, max_request_bytes> buffer;
  const Progress progress = channel_->read(std::span(buffer).first(max_request_bytes - input_.size()));
  if (progress.bytes > 0 && input_.empty()) enter(State::reading, now, request_time);
  input_.append(buffer.data(), progress.bytes);
  return went_on(progress);
}

bool Connection::write(Clock::time_point now) {
  if (sent_ < output_.size()) {
    const Progress progress = channel_->write(std::string_view(output_).substr(sent_));
    sent_ += progress.bytes;
    return went_on(progress);
  }
  std::string().swap(output_);  // an assignment would keep the memory
  sent_ = 0;
  if (keep_open_) {
    enter(State::reading, now, idle_time);
  } else {
    // Closing while the client still sends would reset the connection, and with it the answer on its way.
    channel_->end_writing();
    enter(State::farewell, now, farewell_time);
  }
  return false;
}

void Connection::drain() {
  std::array<char, max_request_bytes> rest;
  went_on(channel_->read(rest));
}

bool Connection::went_on(const Progress& progress) {
  if (progress.next == Progress::Next::closed) state_ = State::closed;
  wants_to_write_ = progress.next == Progress::Next::wait_writable;
  return progress.next == Progress::Next::go_on;
}

}  // namespace airamp::sidecar
