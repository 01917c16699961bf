// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/credentials.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace airamp::sidecar {
namespace {

/// The lines of a file of secrets, without the blanks at their ends.
std::vector<std::string> lines_of(const std::string& file, const char* option) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(fmt::format("cannot read {} (set {})", file, option));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

/// What stands behind a scheme, in any case, and a blank; nothing if it is another scheme.
std::optional<std::string_view> behind(std::string_view scheme, std::string_view authorization) {
  if (authorization.size() <= scheme.size() || authorization[scheme.size()] != ' ') return std::nullopt;
  if (strncasecmp(authorization.data(), scheme.data(), scheme.size()) != 0) return std::nullopt;
  return authorization.substr(scheme.size() + 1);
}

/// Nothing if it is no base64 (RFC 4648).
std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (text.size() % 4 != 0 || length < 0) return std::nullopt;
  // Padding was decoded as if it were zeros.
  const auto padding = static_cast<std::size_t>(
      std::ranges::count(text.substr(text.size() - std::min<std::size_t>(text.size(), 2)), '='));
  bytes.resize(static_cast<std::size_t>(length) - std::min<std::size_t>(padding, static_cast<std::size_t>(length)));
  return bytes;
}

}  // namespace

void Credentials::allow_token(const std::string& file) {
  const std::vector<std::string> lines = lines_of(file, "--token-file");
  if (lines.empty() || lines[0].empty()) throw std::runtime_error(fmt::format("the token file {} has no token", file));
  // RFC 6750, section 2.1
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("-._~+/=", c) != nullptr; };
  if (!std::ranges::all_of(lines[0], is_allowed)) {
    throw std::runtime_error(
        fmt::format("the token in {} has characters other than letters, digits and -._~+/=", file));
  }
  tokens_.push_back(digest_of(lines[0]));
}

void Credentials::allow_logins(const std::string& file) {
  const std::vector<std::string> lines = lines_of(file, "--basic-auth-file");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.empty()) continue;
    const std::size_t colon = line.find(':');
    const bool has_control_character = std::ranges::any_of(line, [](unsigned char c) { return std::iscntrl(c) != 0; });
    // The line itself is a secret.
    if (colon == std::string::npos || colon == 0 || colon + 1 == line.size() || has_control_character) {
      throw std::runtime_error(fmt::format("{}:{} is not USER:PASSWORD", file, i + 1));
    }
    logins_.push_back(digest_of(line));
  }
  if (logins_.empty()) throw std::runtime_error(fmt::format("{} has no line USER:PASSWORD", file));
}

bool Credentials::allows(std::string_view authorization) const {
  if (empty()) return true;
  if (const auto token = behind("Bearer", authorization)) return is_among(*token, tokens_);
  const auto encoded = behind("Basic", authorization);
  const auto login = encoded ? decode_base64(*encoded) : std::nullopt;
  return login && is_among(*login, logins_);
}

std::vector<std::string> Credentials::challenges() const {
  std::vector<std::string> challenges;
  if (!logins_.empty()) challenges.emplace_back(R"(Basic realm="airampd", charset="UTF-8")");
  if (!tokens_.empty()) challenges.emplace_back(R"(Bearer realm="airampd")");
  return challenges;
}

Credentials::Digest Credentials::digest_of(std::string_view secret) {
  Digest digest{};
  SHA256(reinterpret_cast<const unsigned char*>(secret.data()), secret.size(), digest.data());
  return digest;
}

bool Credentials::is_among(std::string_view secret, const std::vector<Digest>& digests) {
  const Digest shown = digest_of(secret);
  bool found = false;
  // All of them, whichever it is.
  for (const Digest& digest : digests) found |= CRYPTO_memcmp(shown.data(), digest.data(), digest.size()) == 0;
  return found;
}

}  // namespace airamp::sidecar
