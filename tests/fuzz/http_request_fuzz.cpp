// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: whatever bytes a client sends to airampd, each answer is well-formed and of bounded size. The first byte
// of the input says how the rest becomes what is sent: even, as it is; odd, each byte stands for a piece of a request,
// which reaches deeper. The second byte is the length of the pieces in which it arrives.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "apps/airampd/connection.hpp"
#include "apps/airampd/site.hpp"

namespace {

using namespace airamp::sidecar;

constexpr std::array<std::string_view, 64> pieces = {"GET ",
                                                     "HEAD ",
                                                     "POST ",
                                                     "PUT ",
                                                     "TRACE ",
                                                     "PRI ",
                                                     "/",
                                                     "/metrics",
                                                     "/healthz",
                                                     "/%6d",
                                                     "/%",
                                                     "/..",
                                                     "?",
                                                     "a=b",
                                                     "&",
                                                     "#",
                                                     "*",
                                                     " ",
                                                     "HTTP/1.1",
                                                     "HTTP/1.0",
                                                     "HTTP/2.0",
                                                     "\r\n",
                                                     "\r\n\r\n",
                                                     "\n",
                                                     "\r",
                                                     ":",
                                                     ": ",
                                                     ",",
                                                     ";",
                                                     "=",
                                                     "\"",
                                                     "\\",
                                                     "q=",
                                                     "0.5",
                                                     "1",
                                                     "0",
                                                     "1.000",
                                                     "Accept: ",
                                                     "accept:",
                                                     "application/openmetrics-text",
                                                     "text/plain",
                                                     "*/*",
                                                     "version=",
                                                     "1.0.0",
                                                     "0.0.4",
                                                     "Range: bytes=",
                                                     "0-",
                                                     "-1",
                                                     "-",
                                                     "9223372036854775808",
                                                     "Content-Length: ",
                                                     "Transfer-Encoding: chunked\r\n",
                                                     "Connection: close\r\n",
                                                     "Connection: Keep-Alive\r\n",
                                                     "Expect: 100-continue\r\n",
                                                     "Accept-Encoding: br, gzip\r\n",
                                                     "Authorization: ",
                                                     "Bearer ",
                                                     "Upgrade: websocket\r\n",
                                                     "\t",
                                                     "%00",
                                                     "%0d%0a",
                                                     "Host: x\r\n",
                                                     "GET /metrics HTTP/1.1\r\n"};

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// A client that has sent all and takes everything.
class SentBytes final : public Channel {
 public:
  SentBytes(std::string_view sent, std::size_t at_once, std::string& received)
      : sent_(sent), at_once_(at_once), received_(received) {}

  Progress read(std::span<char> buffer) override {
    const std::size_t count = std::min({buffer.size(), sent_.size(), at_once_});
    if (count == 0) return {Progress::Next::closed};
    std::copy_n(sent_.begin(), count, buffer.begin());
    sent_.remove_prefix(count);
    return {Progress::Next::go_on, count};
  }

  Progress write(std::string_view bytes) override {
    received_.append(bytes);
    return {Progress::Next::go_on, bytes.size()};
  }

  void end_writing() override {}
  int socket() const override { return -1; }

 private:
  std::string_view sent_;
  std::size_t at_once_;
  std::string& received_;
};

/// Checks one answer after another. One to HEAD has a length but no body, so there the next answer may follow at once.
void check_answers(std::string_view received, int answers) {
  int found = 0;
  while (!received.empty()) {
    require(received.starts_with("HTTP/1.1 "), "an answer begins with a status line");
    const std::size_t end = received.find("\r\n\r\n");
    require(end != std::string_view::npos, "the headers of an answer end");
    const std::string_view headers = received.substr(0, end + 2);
    const std::size_t length_at = headers.find("\r\nContent-Length: ");
    require(length_at != std::string_view::npos, "an answer says its length");
    const auto length = static_cast<std::size_t>(std::atoi(headers.data() + length_at + 18));
    received.remove_prefix(end + 4);
    if (!received.starts_with("HTTP/1.1 ")) received.remove_prefix(std::min(length, received.size()));
    ++found;
  }
  require(found == answers, "as many answers as were counted");
}

void serve(std::string_view sent, std::size_t at_once) {
  static Site site([] { return Reading{}; }, {});
  static int answers;
  static HttpHandler handler([](const HttpRequest& request) { return site.answer(request); },
                             [](int status) {
                               require(status >= 200 && status < 500, "a status of a client's mistake, at worst");
                               ++answers;
                             });
  answers = 0;
  std::string received;
  Connection::Clock::time_point now{};
  Connection connection(std::make_unique<SentBytes>(sent, at_once, received), handler, now);
  for (std::size_t i = 0; i <= sent.size() + 2 && connection.state() != Connection::State::closed; ++i) {
    connection.advance(now);
  }
  require(connection.state() == Connection::State::closed, "the connection ends when the client has gone");
  check_answers(received, answers);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t at_once = data[1] == 0 ? Connection::max_request_bytes : data[1];
  if ((data[0] & 1U) == 0) {
    serve(rest, at_once);
    airamp::telemetry::negotiate(rest);
    return 0;
  }
  std::string sent;
  for (const char byte : rest) {
    // A byte above the pieces stands for itself, so that any text can be made.
    const auto number = static_cast<std::uint8_t>(byte);
    if (number < pieces.size()) {
      sent += pieces[number];
    } else {
      sent += byte;
    }
  }
  serve(sent, at_once);
  airamp::telemetry::negotiate(sent);
  return 0;
}
