// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/http_handler.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "apps/airampd/memory_stream.hpp"

namespace airamp::sidecar {
namespace {

/// The reasons of the statuses that are sent without the library.
std::string_view reason(int status) {
  switch (status) {
    case 408:
      return "Request Timeout";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Bad Request";
  }
}

bool has_body(const httplib::Request& request) {
  if (request.has_header("Transfer-Encoding")) return true;
  return request.has_header("Content-Length") && request.get_header_value("Content-Length") != "0";
}

HttpResponse too_large() { return {.status = 413, .body = "A request to airampd has no body.\n"}; }

}  // namespace

class HttpHandler::Library final : public httplib::Server {
 public:
  explicit Library(Site site) : site_(std::move(site)) {
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      route(request, response);
      return HandlerResponse::Handled;
    });
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      const char* text = response.status < 500 ? "airampd does not understand this request.\n" : "airampd failed.\n";
      if (response.body.empty()) response.set_content(text, "text/plain");
    });
    set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) { response.status = 500; });
    set_post_routing_handler([this](const httplib::Request&, httplib::Response& response) {
      status_ = response.status;
      for (const char* header : {"Accept-Ranges", "Keep-Alive"}) response.headers.erase(header);
      if (may_go_on()) return;
      response.headers.erase("Connection");
      response.set_header("Connection", "close");
    });
  }

  Answer answer(std::string_view bytes, bool last) {
    MemoryStream stream(bytes);
    bool closed = false;
    status_ = 0;
    routed_ = false;
    body_announced_ = false;
    process(*this, stream, last, closed, [this](httplib::Request& request) { restrict(request); });
    return {.status = status_, .bytes = stream.take_output(), .keep_open = !last && !closed && may_go_on()};
  }

 private:
  /// The member's arguments depend on the library's version.
  template <class Self>
  static void process(Self& self, MemoryStream& stream, bool last, bool& closed,
                      const std::function<void(httplib::Request&)>& prepare) {
    if constexpr (requires { self.process_request(stream, last, closed, prepare); }) {
      self.process_request(stream, last, closed, prepare);
    } else {
      self.process_request(stream, {}, 0, {}, 0, last, closed, prepare);
    }
  }

  /// Takes away what would have the library do more than answer.
  void restrict(httplib::Request& request) {
    body_announced_ = has_body(request);
    request.ranges.clear();
    for (const char* header : {"Accept-Encoding", "Expect", "Range", "Upgrade"}) request.headers.erase(header);
  }

  void route(const httplib::Request& request, httplib::Response& response) {
    routed_ = true;
    const HttpResponse answer = body_announced_ ? too_large()
                                                : site_({.method = request.method,
                                                         .path = request.path,
                                                         .accept = all_values(request, "Accept"),
                                                         .authorization = request.get_header_value("Authorization")});
    response.status = answer.status;
    response.set_content(answer.body, answer.content_type);
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
  }

  /// A list header may be given in several lines.
  static std::string all_values(const httplib::Request& request, const char* name) {
    std::string values;
    const auto [first, last] = request.headers.equal_range(name);
    for (auto line = first; line != last; ++line) values += (values.empty() ? "" : ",") + line->second;
    return values;
  }

  /// Whether what follows on the connection can be another request: this one was understood and had no body.
  bool may_go_on() const { return routed_ && !body_announced_; }

  Site site_;
  int status_ = 0;
  bool routed_ = false;
  bool body_announced_ = false;
};

HttpHandler::HttpHandler(Site site, std::function<void(int)> count)
    : library_(std::make_unique<Library>(std::move(site))), count_(std::move(count)) {}

HttpHandler::~HttpHandler() = default;

HttpHandler::Answer HttpHandler::answer(std::string_view request, bool last) { return library_->answer(request, last); }

HttpHandler::Answer HttpHandler::refuse(int status) {
  const std::string body = fmt::format("{} {}\n", status, reason(status));
  return {.status = status,
          .bytes = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n"
                               "Connection: close\r\n\r\n{}",
                               status, reason(status), body.size(), body)};
}

}  // namespace airamp::sidecar
