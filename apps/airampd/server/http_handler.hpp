// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <string_view>

#include "apps/airampd/server/http_message.hpp"

namespace airamp::sidecar {

/// Turns the bytes of a request into its answer; Boost.Beast reads the one and writes the other.
///
/// Requests have no body: one that announces a body gets 413. Ranges and compression, which let a small request cause
/// much work, are not offered. Takes any bytes. Not thread-safe.
class HttpHandler {
 public:
  using Site = std::function<HttpResponse(const HttpRequest&)>;
  /// What goes back to the client. It says whether the client may send another request (keep_alive()).
  using Answer = boost::beast::http::response<boost::beast::http::string_body>;

  /// `count` is told the status of every answer.
  HttpHandler(Site site, std::function<void(int)> count);

  /// `request`: a request line and headers, up to and with the empty line. `last`: say that the connection ends.
  Answer answer(std::string_view request, bool last) const;

  /// An answer that says no more than its status, and that the connection ends.
  Answer refuse(boost::beast::http::status status) const;

 private:
  Site site_;
  std::function<void(int)> count_;
};

}  // namespace airamp::sidecar
