// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/http_handler.hpp"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <exception>
#include <string>
#include <utility>

namespace airamp::sidecar {
namespace {

namespace http = boost::beast::http;
using Request = http::request<http::empty_body>;

/// A list header may be given in several lines.
std::string all_values(const Request& request, http::field name) {
  std::string values;
  const auto [first, last] = request.equal_range(name);
  for (auto line = first; line != last; ++line) {
    if (!values.empty()) values += ',';
    values += std::string(line->value());
  }
  return values;
}

HttpRequest for_site(const Request& request) {
  const std::string target(request.target());
  return {.method = std::string(request.method_string()),
          .path = target.substr(0, target.find('?')),
          .accept = all_values(request, http::field::accept),
          .authorization = std::string(request[http::field::authorization])};
}

HttpHandler::Answer to_answer(HttpResponse response) {
  HttpHandler::Answer answer;
  answer.result(static_cast<unsigned>(response.status));
  answer.set(http::field::content_type, response.content_type);
  for (const auto& [name, value] : response.headers) answer.insert(name, value);
  answer.body() = std::move(response.body);
  answer.prepare_payload();
  return answer;
}

}  // namespace

HttpHandler::HttpHandler(Site site, std::function<void(int)> count)
    : site_(std::move(site)), count_(std::move(count)) {}

HttpHandler::Answer HttpHandler::answer(std::string_view bytes, bool last) const {
  http::request_parser<http::empty_body> parser;
  parser.body_limit(0);
  boost::system::error_code error;
  parser.put(boost::asio::buffer(bytes), error);
  const Request& request = parser.get();
  if (error == http::error::body_limit || error == http::error::bad_content_length ||
      request.count(http::field::transfer_encoding) > 0) {
    return refuse(http::status::payload_too_large);
  }
  if (error || request.method() == http::verb::unknown) return refuse(http::status::bad_request);
  Answer answer;
  try {
    answer = to_answer(site_(for_site(request)));
  } catch (const std::exception&) {
    return refuse(http::status::internal_server_error);
  }
  if (request.method() == http::verb::head) answer.body().clear();  // its length stays
  answer.keep_alive(!last && request.keep_alive());
  count_(static_cast<int>(answer.result_int()));
  return answer;
}

HttpHandler::Answer HttpHandler::refuse(http::status status) const {
  const auto code = static_cast<int>(status);
  const std::string reason(http::obsolete_reason(status));
  Answer answer = to_answer({.status = code, .body = fmt::format("{} {}\n", code, reason)});
  answer.keep_alive(false);
  count_(code);
  return answer;
}

}  // namespace airamp::sidecar
