// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: whatever bytes a client sends to airampd, each answer is well-formed and of bounded size. The first byte
// of the input says how the rest becomes what is sent: even, as it is; odd, each byte stands for a piece of a request,
// which reaches deeper. The second byte is the length of the pieces in which it arrives.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "apps/airampd/site.hpp"
#include "tests/apps/airampd/server/served_client.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using namespace airamp::sidecar;
using airamp::fuzz::require;

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
  static Site site([] { return Reading{}; }, {}, airamp::telemetry::Detail::job);
  static int answers;
  static HttpHandler handler([](const HttpRequest& request) { return site.answer(request); },
                             [](int status) {
                               require(status >= 200 && status < 500, "a status of a client's mistake, at worst");
                               ++answers;
                             });
  answers = 0;
  static boost::asio::io_context io(1);
  Connections connections{Limits{}};
  ServedClient client(io, handler, connections);
  client.connect();
  for (; !sent.empty(); sent.remove_prefix(std::min(at_once, sent.size()))) {
    client.send(sent.substr(0, at_once));
    client.poll_and_take();
  }
  client.end();
  client.poll_and_take();
  require(connections.size() == 0, "the connection ends when the client has gone");
  check_answers(client.received(), answers);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t at_once = data[1] == 0 ? Limits{}.request_bytes : data[1];
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
