// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/connection.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <vector>

#include "tests/apps/airampd/server/served_client.hpp"

namespace airamp::sidecar {
namespace {

using std::chrono::milliseconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* request = "GET / HTTP/1.1\r\n\r\n";
constexpr std::size_t large = std::size_t{8} << 20U;  ///< more than the kernel keeps for a client

class ConnectionTest : public testing::Test {
 protected:
  /// Connects a client that has sent something.
  void connect(std::string_view sent, const Limits& limits = {}) {
    connections_.emplace(limits);
    client_.emplace(io_, handler_, *connections_);
    client_->send(sent);
    client_->connect();
    client_->poll();
  }

  void send(std::string_view bytes) {
    client_->send(bytes);
    client_->poll_and_take();
  }

  /// Waits for the connection's end, with something to do again and again meanwhile.
  template <class Meanwhile>
  void wait_for_end(Meanwhile meanwhile) {
    while (connections_->size() > 0) {
      meanwhile();
      io_.restart();
      io_.run_for(milliseconds(1));
    }
    client_->poll_and_take();
  }
  void wait_for_end() {
    wait_for_end([] {});
  }

  std::string body_ = "ok\n";
  std::vector<int> statuses_;
  HttpHandler handler_{[this](const HttpRequest&) { return HttpResponse{.body = body_}; },
                       [this](int status) { statuses_.push_back(status); }};
  std::optional<Connections> connections_;
  boost::asio::io_context io_{1};
  std::optional<ServedClient> client_;
};

TEST_F(ConnectionTest, a_request_may_come_in_pieces) {
  connect("");
  for (const char* piece : {"GET / HT", "TP/1.1\r", "\n\r"}) {
    send(piece);
    EXPECT_EQ(client_->received(), "");
  }
  send("\n");
  EXPECT_THAT(client_->received(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(client_->received(), EndsWith("\r\n\r\nok\n"));
  EXPECT_FALSE(client_->ended());
  EXPECT_EQ(statuses_, std::vector{200});
}

TEST_F(ConnectionTest, waits_longer_for_another_request_than_for_the_rest_of_one) {
  connect(request, {.request_time = milliseconds(10)});
  for (int i = 0; i < 3; ++i) {
    io_.restart();
    io_.run_for(milliseconds(20));
    send(request);
  }
  EXPECT_EQ(statuses_.size(), 4U);
  EXPECT_FALSE(client_->ended());
}

TEST_F(ConnectionTest, who_asks_for_nothing_more_is_sent_away_without_a_word) {
  connect(request, {.idle_time = milliseconds(10)});
  wait_for_end();
  EXPECT_THAT(client_->received(), EndsWith("\r\n\r\nok\n"));
  EXPECT_EQ(statuses_, std::vector{200});
}

TEST_F(ConnectionTest, two_requests_at_once_are_not_served) {
  connect(std::string(request) + request);
  client_->poll_and_take();
  EXPECT_EQ(statuses_.size(), 1U);
  EXPECT_THAT(client_->received(), HasSubstr("Connection: close"));
  EXPECT_TRUE(client_->ended());
}

TEST_F(ConnectionTest, ends_after_so_many_requests) {
  connect("");
  for (int i = 0; i < Limits{}.requests; ++i) {
    EXPECT_FALSE(client_->ended());
    send(request);
  }
  EXPECT_TRUE(client_->ended());
}

TEST_F(ConnectionTest, headers_without_end_are_refused) {
  connect("GET / HTTP/1.1\r\nX: " + std::string(3 * Limits{}.request_bytes, 'x'));
  client_->poll_and_take();
  EXPECT_EQ(statuses_, std::vector{431});
  EXPECT_TRUE(client_->ended());
  EXPECT_EQ(connections_->size(), 1U) << "closing at once might take the answer away";
}

TEST_F(ConnectionTest, the_longest_headers_are_served) {
  std::string longest = "GET / HTTP/1.1\r\nX: ";
  longest += std::string(Limits{}.request_bytes - longest.size() - 4, 'x') + "\r\n\r\n";
  connect("");
  send(longest);
  EXPECT_EQ(statuses_, std::vector{200});
}

TEST_F(ConnectionTest, a_request_that_trickles_in_runs_out_of_time) {
  connect("X", {.request_time = milliseconds(20)});
  wait_for_end([this] { send("X"); });
  EXPECT_EQ(statuses_, std::vector{408});
  EXPECT_THAT(client_->received(), StartsWith("HTTP/1.1 408 Request Timeout\r\n"));
  EXPECT_TRUE(client_->ended());
}

TEST_F(ConnectionTest, who_connects_and_says_nothing_is_sent_away_without_a_word) {
  connect("", {.request_time = milliseconds(10)});
  EXPECT_EQ(connections_->size(), 1U);
  wait_for_end();
  EXPECT_EQ(client_->received(), "");
  EXPECT_TRUE(client_->ended());
}

TEST_F(ConnectionTest, who_takes_an_answer_slowly_is_sent_away) {
  body_.assign(large, 'x');
  connect(request, {.answer_time = milliseconds(20)});
  wait_for_end([this] { client_->take(1000); });
  EXPECT_THAT(client_->received(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_LT(client_->received().size(), large);
  EXPECT_TRUE(client_->ended());
}

TEST_F(ConnectionTest, an_answer_goes_out_as_the_client_takes_it) {
  body_.assign(large, 'x');
  connect(request);
  client_->poll();
  client_->take(1000);
  EXPECT_EQ(connections_->held_bytes(), large);
  client_->poll_and_take();
  EXPECT_GT(client_->received().size(), large);
  EXPECT_EQ(connections_->held_bytes(), 0U);
  send(request);
  EXPECT_EQ(statuses_.size(), 2U);
}

TEST_F(ConnectionTest, goes_when_the_client_has_gone) {
  connect("GET");
  client_->end();
  client_->poll();
  EXPECT_EQ(connections_->size(), 0U);
}

TEST_F(ConnectionTest, after_an_error_what_the_client_still_sends_is_thrown_away_for_a_while) {
  connect("garbage\r\n\r\n", {.farewell_time = milliseconds(20)});
  wait_for_end([this] { send(request); });
  EXPECT_EQ(statuses_, std::vector{400});
  EXPECT_TRUE(client_->ended());
}

TEST_F(ConnectionTest, finishing_lets_an_answer_on_its_way_arrive) {
  body_.assign(large, 'x');
  connect(request);
  connections_->finish();
  client_->poll_and_take();
  EXPECT_GT(client_->received().size(), large);
  EXPECT_TRUE(client_->ended());
}

TEST_F(ConnectionTest, finishing_ends_who_is_not_being_answered) {
  for (const char* sent : {"", "GET / HTTP"}) {
    connect(sent);
    connections_->finish();
    EXPECT_EQ(connections_->size(), 0U);
    client_->poll_and_take();
    EXPECT_TRUE(client_->ended());
  }
}

}  // namespace
}  // namespace airamp::sidecar
