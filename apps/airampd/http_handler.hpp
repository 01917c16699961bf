// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "apps/airampd/http_message.hpp"

namespace airamp::sidecar {

/// Turns the bytes of a request into the bytes of its answer, by cpp-httplib, which never sees a socket here: its own
/// server keeps a thread on each connection, so that a few idle clients would keep everybody else waiting.
///
/// Requests have no body: one that announces a body gets 413. Ranges and compression, which let a small request cause
/// much work, are not offered. Takes any bytes. Not thread-safe.
class HttpHandler {
 public:
  using Site = std::function<HttpResponse(const HttpRequest&)>;

  /// What goes back to the client.
  struct Answer {
    int status = 0;
    std::string bytes;
    bool keep_open = false;  ///< the client may send another request
  };

  /// `count` is told the status of every answer that is sent.
  HttpHandler(Site site, std::function<void(int)> count);
  ~HttpHandler();

  /// `request`: a request line and headers, up to and with the empty line. `last`: say that the connection ends.
  Answer answer(std::string_view request, bool last);

  /// An answer to something that is no request.
  static Answer refuse(int status);

  void count(const Answer& answer) const { count_(answer.status); }

 private:
  class Library;
  std::unique_ptr<Library> library_;
  std::function<void(int)> count_;
};

}  // namespace airamp::sidecar
