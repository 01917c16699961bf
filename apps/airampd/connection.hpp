// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "apps/airampd/channel.hpp"
#include "apps/airampd/http_handler.hpp"

namespace airamp::sidecar {

/// One client's connection, as a state machine that an event loop drives. What it holds is bounded: a request's
/// headers and one answer, for so long. A client that is slower than that is sent away.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t max_request_bytes = 8192;
  static constexpr int max_requests = 1000;
  static constexpr std::chrono::seconds request_time{5};   ///< from the first byte, or connecting, to the empty line
  static constexpr std::chrono::seconds answer_time{10};   ///< for taking an answer
  static constexpr std::chrono::seconds idle_time{60};     ///< between two requests
  static constexpr std::chrono::seconds farewell_time{1};  ///< for closing after an error

  enum class State {
    reading,   ///< waits for a request, or its rest
    writing,   ///< sends an answer
    farewell,  ///< has sent the last one; lets the client take it before closing
    closed
  };

  Connection(std::unique_ptr<Channel> channel, HttpHandler& handler, Clock::time_point now);

  /// Goes as far as it can without waiting, but not beyond one answer. Call when the socket is ready.
  void advance(Clock::time_point now);

  /// Ends what takes too long. Call from time to time.
  void check_time(Clock::time_point now);

  /// Sends no answer after the present one.
  void finish(Clock::time_point now);

  State state() const { return state_; }
  /// Whether the socket must become writable, not readable, to go on.
  bool wants_to_write() const { return wants_to_write_; }
  /// Whether it is not waiting for an answer's way to the client.
  bool is_idle() const { return state_ != State::writing; }
  Clock::time_point since() const { return since_; }
  /// Memory that the present answer takes.
  std::size_t held_bytes() const { return output_.size(); }
  int socket() const { return channel_->socket(); }

 private:
  bool take_request(Clock::time_point now);
  void send(HttpHandler::Answer answer, Clock::time_point now);
  bool read(Clock::time_point now);
  bool write(Clock::time_point now);
  void drain();
  /// Whether to go on after an operation.
  bool went_on(const Progress& progress);
  void enter(State state, Clock::time_point now, std::chrono::seconds time);

  std::unique_ptr<Channel> channel_;
  HttpHandler& handler_;
  std::string input_;
  std::string output_;
  std::size_t sent_ = 0;
  int requests_ = 0;
  bool keep_open_ = true;
  bool wants_to_write_ = false;
  State state_ = State::reading;
  Clock::time_point since_;  ///< of the state
  Clock::time_point deadline_;
};

}  // namespace airamp::sidecar
