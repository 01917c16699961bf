// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "config/file_descriptor.hpp"

namespace airamp::sidecar {

/// How far a non-blocking operation on a connection came.
struct Progress {
  enum class Next { go_on, wait_readable, wait_writable, closed };
  Next next = Next::go_on;
  std::size_t bytes = 0;  ///< transferred; 0 unless go_on
};

/// The bytes of one connection, plain or through TLS. Nothing here blocks or throws.
class Channel {
 public:
  virtual ~Channel() = default;

  /// Reads at least a byte unless it says otherwise; `closed` at the peer's end or after an error.
  virtual Progress read(std::span<char> buffer) = 0;
  virtual Progress write(std::string_view bytes) = 0;

  /// Says that nothing more will be written.
  virtual void end_writing() = 0;

  virtual int socket() const = 0;
};

std::unique_ptr<Channel> make_plain_channel(config::FileDescriptor socket);

}  // namespace airamp::sidecar
