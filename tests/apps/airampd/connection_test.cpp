// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/connection.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>

namespace airamp::sidecar {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using State = Connection::State;

/// A client: what it has sent, and what it has room for.
struct Client {
  std::deque<std::string> sent;
  bool gone = false;
  std::size_t room = SIZE_MAX;
  std::string received;
  bool ended = false;  ///< was told that nothing more comes
};

class FakeChannel final : public Channel {
 public:
  explicit FakeChannel(Client& client) : client_(client) {}

  Progress read(std::span<char> buffer) override {
    if (client_.sent.empty()) return {client_.gone ? Progress::Next::closed : Progress::Next::wait_readable};
    std::string& part = client_.sent.front();
    const std::size_t count = std::min(buffer.size(), part.size());
    std::copy_n(part.begin(), count, buffer.begin());
    part.erase(0, count);
    if (part.empty()) client_.sent.pop_front();
    return {Progress::Next::go_on, count};
  }

  Progress write(std::string_view bytes) override {
    const std::size_t count = std::min(client_.room, bytes.size());
    if (count == 0) return {Progress::Next::wait_writable};
    client_.received.append(bytes.substr(0, count));
    client_.room -= count;
    return {Progress::Next::go_on, count};
  }

  void end_writing() override { client_.ended = true; }
  int socket() const override { return 3; }

 private:
  Client& client_;
};

class ConnectionTest : public testing::Test {
 protected:
  void advance() { connection_.advance(now_); }
  void pass(milliseconds time) {
    now_ += time;
    connection_.check_time(now_);
  }

  Connection::Clock::time_point now_{};
  Client client_;
  std::vector<int> statuses_;
  HttpHandler handler_{[](const HttpRequest&) { return HttpResponse{.body = "ok\n"}; },
                       [this](int status) { statuses_.push_back(status); }};
  Connection connection_{std::make_unique<FakeChannel>(client_), handler_, now_};
};

constexpr const char* request = "GET / HTTP/1.1\r\n\r\n";

TEST_F(ConnectionTest, a_request_may_come_in_pieces) {
  for (const char* piece : {"GET / HT", "TP/1.1\r", "\n\r"}) {
    client_.sent.emplace_back(piece);
    advance();
    EXPECT_EQ(client_.received, "");
  }
  client_.sent.emplace_back("\n");
  advance();
  EXPECT_THAT(client_.received, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(client_.received, EndsWith("\r\n\r\nok\n"));
  EXPECT_EQ(connection_.state(), State::reading);
  EXPECT_EQ(statuses_, std::vector{200});
}

TEST_F(ConnectionTest, serves_one_request_after_another) {
  for (int i = 0; i < 3; ++i) {
    client_.sent.emplace_back(request);
    advance();
    pass(seconds(50));
  }
  EXPECT_EQ(statuses_.size(), 3U);
  EXPECT_EQ(connection_.state(), State::reading);
}

TEST_F(ConnectionTest, two_requests_at_once_are_not_served) {
  client_.sent.emplace_back(std::string(request) + request);
  advance();
  EXPECT_EQ(statuses_.size(), 1U);
  EXPECT_THAT(client_.received, HasSubstr("Connection: close"));
  EXPECT_TRUE(client_.ended);
}

TEST_F(ConnectionTest, ends_after_so_many_requests) {
  for (int i = 0; i < Connection::max_requests; ++i) {
    EXPECT_FALSE(client_.ended);
    client_.sent.emplace_back(request);
    advance();
  }
  EXPECT_TRUE(client_.ended);
}

TEST_F(ConnectionTest, headers_without_end_are_refused) {
  client_.sent.emplace_back("GET / HTTP/1.1\r\nX: " + std::string(3 * Connection::max_request_bytes, 'x'));
  advance();
  EXPECT_EQ(statuses_, std::vector{431});
  EXPECT_TRUE(client_.ended);
  EXPECT_EQ(connection_.state(), State::farewell);
}

TEST_F(ConnectionTest, a_request_that_trickles_in_runs_out_of_time) {
  for (int second = 0; second < 4; ++second) {
    client_.sent.emplace_back("X");
    advance();
    pass(seconds(1));
    EXPECT_EQ(connection_.state(), State::reading);
  }
  client_.sent.emplace_back("X");
  advance();
  pass(seconds(1));
  EXPECT_EQ(statuses_, std::vector{408});
  EXPECT_TRUE(client_.ended);
}

TEST_F(ConnectionTest, who_connects_and_says_nothing_is_sent_away_without_a_word) {
  advance();
  pass(Connection::request_time - milliseconds(1));
  EXPECT_EQ(connection_.state(), State::reading);
  pass(milliseconds(1));
  EXPECT_EQ(connection_.state(), State::closed);
  EXPECT_EQ(client_.received, "");
}

TEST_F(ConnectionTest, who_takes_no_answer_is_sent_away) {
  client_.room = 20;
  client_.sent.emplace_back(request);
  advance();
  EXPECT_TRUE(connection_.wants_to_write());
  EXPECT_GT(connection_.held_bytes(), 0U);
  pass(Connection::answer_time - milliseconds(1));
  client_.room = 1;
  advance();
  EXPECT_EQ(connection_.state(), State::writing);
  pass(milliseconds(1));
  EXPECT_EQ(connection_.state(), State::closed);
}

TEST_F(ConnectionTest, an_answer_goes_out_as_the_client_takes_it) {
  client_.room = 20;
  client_.sent.emplace_back(request);
  advance();
  client_.room = SIZE_MAX;
  advance();
  EXPECT_THAT(client_.received, EndsWith("\r\n\r\nok\n"));
  EXPECT_FALSE(connection_.wants_to_write());
  EXPECT_EQ(connection_.held_bytes(), 0U);
}

TEST_F(ConnectionTest, goes_when_the_client_has_gone) {
  client_.gone = true;
  advance();
  EXPECT_EQ(connection_.state(), State::closed);
}

TEST_F(ConnectionTest, after_an_error_what_the_client_still_sends_is_thrown_away_for_a_while) {
  client_.sent.emplace_back("garbage\r\n\r\n");
  advance();
  EXPECT_EQ(connection_.state(), State::farewell);
  client_.sent.emplace_back(request);
  advance();
  EXPECT_EQ(statuses_, std::vector{400});
  pass(Connection::farewell_time);
  EXPECT_EQ(connection_.state(), State::closed);
}

TEST_F(ConnectionTest, finishing_lets_an_answer_on_its_way_arrive) {
  client_.room = 20;
  client_.sent.emplace_back(request);
  advance();
  connection_.finish(now_);
  EXPECT_EQ(connection_.state(), State::writing);
  client_.room = SIZE_MAX;
  advance();
  EXPECT_THAT(client_.received, EndsWith("\r\n\r\nok\n"));
  EXPECT_TRUE(client_.ended);
}

TEST_F(ConnectionTest, finishing_ends_an_idle_connection) {
  connection_.finish(now_);
  EXPECT_EQ(connection_.state(), State::closed);
}

}  // namespace
}  // namespace airamp::sidecar
