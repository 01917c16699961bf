// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace airamp::sidecar {

/// What the site needs to know of an HTTP request.
struct HttpRequest {
  std::string method;
  std::string path;  ///< decoded, without the query
  std::string accept;
  std::string authorization;
};

/// An answer; the HTTP library adds Content-Length and Connection, and leaves the body out for HEAD.
struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  ///< of one name there may be several
};

}  // namespace airamp::sidecar
