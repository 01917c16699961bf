// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/server.hpp"

#include <gmock/gmock.h>

#include <array>
#include <boost/asio/write.hpp>
#include <string>
#include <vector>

#include "apps/airampd/server/listener.hpp"

namespace airamp::sidecar {
namespace {

using boost::asio::ip::tcp;
using testing::EndsWith;

class ServerTest : public testing::Test {
 protected:
  void poll() {
    io_.restart();
    io_.poll();
  }

  tcp::socket connect() {
    tcp::socket client(io_);
    client.connect({boost::asio::ip::address_v4::loopback(), listener_.port});
    client.non_blocking(true);
    poll();
    return client;
  }

  /// What the server has sent; `error` is that of the next reading.
  static std::string received(tcp::socket& client, boost::system::error_code& error) {
    std::string all;
    std::array<char, 1000> buffer;
    while (!error) all.append(buffer.data(), client.read_some(boost::asio::buffer(buffer), error));
    return all;
  }

  static bool ended(tcp::socket& client) {
    boost::system::error_code error;
    received(client, error);
    return error != boost::asio::error::would_block;
  }

  HttpHandler handler_{[](const HttpRequest&) { return HttpResponse{.body = "ok\n"}; }, [](int) {}};
  boost::asio::io_context io_{1};
  Listener listener_ = listen_on(io_, "127.0.0.1", 0);
  Server server_{std::move(listener_.socket), nullptr, handler_, {.connections = 2}};
};

TEST_F(ServerTest, when_there_are_too_many_who_has_waited_longest_gives_way) {
  std::vector<tcp::socket> clients;
  for (int i = 0; i < 5; ++i) clients.push_back(connect());
  EXPECT_EQ(server_.connections(), 2U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(ended(clients[i]), i < 3) << i;
}

TEST_F(ServerTest, a_client_is_served_however_many_wait) {
  std::vector<tcp::socket> waiting;
  for (int i = 0; i < 5; ++i) waiting.push_back(connect());
  tcp::socket client = connect();
  boost::asio::write(client, boost::asio::buffer(std::string("GET / HTTP/1.1\r\n\r\n")));
  poll();
  boost::system::error_code error;
  EXPECT_THAT(received(client, error), EndsWith("\r\n\r\nok\n"));
  EXPECT_EQ(error, boost::asio::error::would_block) << "another request may follow";
}

TEST_F(ServerTest, finishing_leaves_nothing_to_do) {
  tcp::socket client = connect();
  server_.finish();
  io_.restart();
  io_.run();
  EXPECT_TRUE(ended(client));
  EXPECT_THROW(connect(), boost::system::system_error);
}

}  // namespace
}  // namespace airamp::sidecar
