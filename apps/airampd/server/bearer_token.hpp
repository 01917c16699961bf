// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace airamp::sidecar {

/// The secret that requests must show as "Authorization: Bearer TOKEN" (RFC 6750), or none. Thread-safe.
class BearerToken {
 public:
  /// No token: every request is allowed.
  BearerToken() = default;

  /// Takes the file's first line. Throws std::runtime_error with a message that names the file.
  static BearerToken from_file(const std::string& file);

  /// `authorization`: value of the request's header. Takes as long for a wrong token as for the right one.
  bool allows(std::string_view authorization) const;

  bool empty() const { return token_.empty(); }

 private:
  std::string token_;
};

}  // namespace airamp::sidecar
