// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/connections.hpp"

#include <gmock/gmock.h>

#include <deque>

#include "tests/apps/airampd/server/served_client.hpp"

namespace airamp::sidecar {
namespace {

constexpr const char* request = "GET / HTTP/1.1\r\n\r\n";
constexpr std::size_t large = std::size_t{4} << 20U;  ///< more than the kernel keeps for a client

class ConnectionsTest : public testing::Test {
 protected:
  ServedClient& connect(std::string_view sent = "") {
    ServedClient& client = clients_.emplace_back(io_, handler_, connections_);
    client.send(sent);
    client.connect();
    client.poll();
    return client;
  }

  bool ended(ServedClient& client) {
    client.poll();
    client.take();
    return client.ended();
  }

  HttpHandler handler_{[](const HttpRequest&) { return HttpResponse{.body = std::string(large, 'x')}; }, [](int) {}};
  Connections connections_{{.held_bytes = 2 * large}};
  boost::asio::io_context io_{1};
  std::deque<ServedClient> clients_;
};

TEST_F(ConnectionsTest, who_has_waited_longest_makes_room) {
  ServedClient& first = connect();
  ServedClient& second = connect();
  ServedClient& third = connect();
  first.send("GET");  // no longer waits for so long
  first.poll();
  connections_.make_room();
  EXPECT_TRUE(ended(second));
  connections_.make_room();
  EXPECT_TRUE(ended(third));
  EXPECT_FALSE(ended(first));
  EXPECT_EQ(connections_.size(), 1U);
}

TEST_F(ConnectionsTest, who_is_being_answered_makes_room_last) {
  ServedClient& answered = connect(request);
  ServedClient& waiting = connect();
  connections_.make_room();
  EXPECT_TRUE(ended(waiting));
  EXPECT_FALSE(ended(answered));
  connections_.make_room();
  EXPECT_EQ(connections_.size(), 0U);
  connections_.make_room();
}

TEST_F(ConnectionsTest, answers_that_nobody_takes_are_bounded) {
  ServedClient& waiting = connect();
  for (int i = 0; i < 5; ++i) {
    connect(request);
    EXPECT_LE(connections_.held_bytes(), 2 * large);
  }
  EXPECT_EQ(connections_.size(), 3U);
  EXPECT_FALSE(ended(waiting));
  clients_.back().poll_and_take();
  EXPECT_GT(clients_.back().received().size(), large) << "the latest is served";
}

}  // namespace
}  // namespace airamp::sidecar
