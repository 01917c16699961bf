// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace airamp::sidecar {

/// What requests must show in "Authorization": a token ("Bearer TOKEN", RFC 6750), or the name and password of a login
/// ("Basic", RFC 7617), which browsers ask for. Kept as digests. Thread-safe once it is complete.
class Credentials {
 public:
  /// None: every request is allowed.
  Credentials() = default;

  /// Allows the token in the file's first line. Throws std::runtime_error with a message that names the file.
  void allow_token(const std::string& file);

  /// Allows the logins in a file's lines, "USER:PASSWORD". Throws as above.
  void allow_logins(const std::string& file);

  /// `authorization`: value of the request's header. Takes as long for what is wrong as for what is right.
  bool allows(std::string_view authorization) const;

  /// What an answer 401 says in "WWW-Authenticate", a header each.
  std::vector<std::string> challenges() const;

  bool empty() const { return tokens_.empty() && logins_.empty(); }

 private:
  using Digest = std::array<unsigned char, 32>;

  static Digest digest_of(std::string_view secret);
  static bool is_among(std::string_view secret, const std::vector<Digest>& digests);

  std::vector<Digest> tokens_;
  std::vector<Digest> logins_;  ///< of "USER:PASSWORD"
};

}  // namespace airamp::sidecar
