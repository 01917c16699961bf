// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/bearer_token.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace airamp::sidecar {

BearerToken BearerToken::from_file(const std::string& file) {
  std::ifstream stream(file);
  BearerToken token;
  if (!stream) throw std::runtime_error(fmt::format("cannot read the token file {} (set --token-file)", file));
  std::getline(stream, token.token_);
  while (!token.token_.empty() && (token.token_.back() == '\r' || token.token_.back() == ' ')) token.token_.pop_back();
  // RFC 6750, section 2.1
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("-._~+/=", c) != nullptr; };
  if (!std::ranges::all_of(token.token_, is_allowed)) {
    throw std::runtime_error(
        fmt::format("the token in {} has characters other than letters, digits and -._~+/=", file));
  }
  if (token.token_.empty()) throw std::runtime_error(fmt::format("the token file {} has no token", file));
  return token;
}

bool BearerToken::allows(std::string_view authorization) const {
  constexpr std::string_view scheme = "Bearer ";
  if (token_.empty()) return true;
  if (authorization.size() != scheme.size() + token_.size()) return false;
  if (strncasecmp(authorization.data(), scheme.data(), scheme.size()) != 0) return false;
  return CRYPTO_memcmp(authorization.data() + scheme.size(), token_.data(), token_.size()) == 0;
}

}  // namespace airamp::sidecar
