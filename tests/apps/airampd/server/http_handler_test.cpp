// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/http_handler.hpp"

#include <gmock/gmock.h>

#include <boost/beast/http/write.hpp>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace airamp::sidecar {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string bytes(const HttpHandler::Answer& answer) {
  std::ostringstream stream;
  stream << answer;
  return stream.str();
}

class HttpHandlerTest : public testing::Test {
 protected:
  HttpHandler::Answer answer(std::string_view request, bool last = false) { return handler_.answer(request, last); }

  std::vector<HttpRequest> seen_;
  HttpResponse response_{.body = "hello\n", .headers = {{"X-One", "1"}}};
  HttpHandler handler_{[this](const HttpRequest& request) {
                         seen_.push_back(request);
                         return response_;
                       },
                       [this](int status) { counted_.push_back(status); }};
  std::vector<int> counted_;
};

TEST_F(HttpHandlerTest, a_request_reaches_the_site_and_its_answer_comes_back) {
  const auto answered =
      answer("GET /metrics?x=1 HTTP/1.1\r\nHost: a\r\naccept: text/plain\r\nAuthorization: Bearer t\r\n\r\n");
  ASSERT_EQ(seen_.size(), 1U);
  EXPECT_EQ(seen_[0].method, "GET");
  EXPECT_EQ(seen_[0].path, "/metrics");
  EXPECT_EQ(seen_[0].accept, "text/plain");
  EXPECT_EQ(seen_[0].authorization, "Bearer t");
  EXPECT_EQ(answered.result_int(), 200U);
  EXPECT_TRUE(answered.keep_alive());
  EXPECT_THAT(bytes(answered), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(bytes(answered), HasSubstr("\r\nX-One: 1\r\n"));
  EXPECT_THAT(bytes(answered), HasSubstr("\r\nContent-Length: 6\r\n"));
  EXPECT_THAT(bytes(answered), HasSubstr("\r\nContent-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_THAT(bytes(answered), EndsWith("\r\n\r\nhello\n"));
}

TEST_F(HttpHandlerTest, accept_may_stand_in_several_lines) {
  answer("GET / HTTP/1.1\r\nAccept: a/b\r\nAccept: c/d;q=0.5\r\n\r\n");
  ASSERT_EQ(seen_.size(), 1U);
  EXPECT_EQ(seen_[0].accept, "a/b,c/d;q=0.5");
}

TEST_F(HttpHandlerTest, head_has_no_body_but_its_length) {
  const auto answered = answer("HEAD / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(bytes(answered), HasSubstr("\r\nContent-Length: 6\r\n"));
  EXPECT_THAT(bytes(answered), EndsWith("\r\n\r\n"));
}

TEST_F(HttpHandlerTest, the_connection_ends_when_either_side_says_so) {
  EXPECT_FALSE(answer("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").keep_alive());
  EXPECT_FALSE(answer("GET / HTTP/1.0\r\n\r\n").keep_alive());
  const auto last = answer("GET / HTTP/1.1\r\n\r\n", true);
  EXPECT_FALSE(last.keep_alive());
  EXPECT_THAT(bytes(last), HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_EQ(seen_.size(), 3U);
}

TEST_F(HttpHandlerTest, an_answer_of_404_does_not_end_the_connection) {
  response_.status = 404;
  EXPECT_TRUE(answer("GET /x HTTP/1.1\r\n\r\n").keep_alive());
}

TEST_F(HttpHandlerTest, a_body_is_refused_unread) {
  for (const char* header : {"Content-Length: 5", "Transfer-Encoding: chunked", "Content-Length: x"}) {
    const auto answered = answer(std::string("GET / HTTP/1.1\r\n") + header + "\r\n\r\n");
    EXPECT_EQ(answered.result_int(), 413U) << header;
    EXPECT_FALSE(answered.keep_alive()) << header;
    EXPECT_THAT(bytes(answered), HasSubstr("\r\nConnection: close\r\n")) << header;
  }
  EXPECT_TRUE(seen_.empty());
  EXPECT_EQ(answer("GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").result_int(), 200U);
}

TEST_F(HttpHandlerTest, what_is_no_request_never_reaches_the_site) {
  const std::string long_name(6000, 'x');
  for (const std::string& request :
       {std::string("\r\n\r\n"), std::string("garbage\r\n\r\n"), std::string("GET / HTTP/3.0\r\n\r\n"),
        std::string("GET /\r\n\r\n"), std::string("BREW / HTTP/1.1\r\n\r\n"), std::string("GET  / HTTP/1.1 x\r\n\r\n"),
        std::string("GET / HTTP/1.1\n\r\n\r\n").substr(0, 15) + "\r\n\r\n", std::string("\0\0\0\r\n\r\n", 7),
        long_name + "\r\n\r\n"}) {
    const auto answered = answer(request);
    EXPECT_EQ(answered.result_int(), 400U) << request;
    EXPECT_FALSE(answered.keep_alive()) << request;
    EXPECT_THAT(bytes(answered), StartsWith("HTTP/1.1 400 Bad Request\r\n")) << request;
    EXPECT_THAT(bytes(answered), HasSubstr("\r\nConnection: close\r\n")) << request;
  }
  EXPECT_TRUE(seen_.empty());
}

TEST_F(HttpHandlerTest, a_small_request_never_causes_a_large_answer) {
  std::string ranges = "Range: bytes=0-";
  while (ranges.size() < 8000) ranges += ",0-";
  EXPECT_LT(bytes(answer("GET / HTTP/1.1\r\n" + ranges + "\r\n\r\n")).size(), 500U);
  const auto compressed = answer("GET / HTTP/1.1\r\nAccept-Encoding: br, gzip, deflate\r\n\r\n");
  EXPECT_THAT(bytes(compressed), EndsWith("\r\n\r\nhello\n"));
  EXPECT_THAT(bytes(compressed), Not(HasSubstr("Content-Encoding")));
}

TEST_F(HttpHandlerTest, a_client_that_waits_for_100_gets_the_answer_at_once) {
  EXPECT_THAT(bytes(answer("GET / HTTP/1.1\r\nExpect: 100-continue\r\n\r\n")), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(HttpHandler, a_site_that_fails_answers_500_and_keeps_its_reasons) {
  HttpHandler handler([](const HttpRequest&) -> HttpResponse { throw std::runtime_error("secret"); }, [](int) {});
  const auto answered = handler.answer("GET / HTTP/1.1\r\n\r\n", false);
  EXPECT_EQ(answered.result_int(), 500U);
  EXPECT_THAT(bytes(answered), Not(HasSubstr("secret")));
}

TEST_F(HttpHandlerTest, refusals_are_complete_answers) {
  EXPECT_EQ(bytes(handler_.refuse(boost::beast::http::status::request_header_fields_too_large)),
            "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: text/plain; charset=utf-8\r\n"
            "Content-Length: 36\r\nConnection: close\r\n\r\n431 Request Header Fields Too Large\n");
}

TEST_F(HttpHandlerTest, every_answer_is_counted) {
  answer("GET / HTTP/1.1\r\n\r\n");
  answer("garbage\r\n\r\n");
  static_cast<void>(handler_.refuse(boost::beast::http::status::request_timeout));
  EXPECT_THAT(counted_, testing::ElementsAre(200, 400, 408));
}

}  // namespace
}  // namespace airamp::sidecar
