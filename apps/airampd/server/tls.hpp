// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <string>

namespace airamp::sidecar {

/// A server's certificate and key, from PEM files, for TLS 1.2 or later. Throws std::runtime_error with a message that
/// names the option and the file.
boost::asio::ssl::context tls_context(const std::string& certificate_file, const std::string& key_file);

}  // namespace airamp::sidecar
