// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <httplib.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace airamp::sidecar {

/// Lets cpp-httplib read from and write to memory.
class MemoryStream final : public httplib::Stream {
 public:
  explicit MemoryStream(std::string_view input) : input_(input) {}

  std::string take_output() { return std::move(output_); }

  ssize_t read(char* bytes, std::size_t size) override {
    const std::size_t count = std::min(size, input_.size());
    std::memcpy(bytes, input_.data(), count);
    input_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* bytes, std::size_t size) override {
    output_.append(bytes, size);
    return static_cast<ssize_t>(size);
  }

  bool is_readable() const override { return true; }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return INVALID_SOCKET; }

  // Which of these the library knows depends on its version.
#pragma GCC diagnostic push
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Winconsistent-missing-override"
#endif
  // NOLINTBEGIN(modernize-use-override)
  virtual bool is_writable() const { return true; }
  virtual bool wait_readable() const { return true; }
  virtual bool wait_writable() const { return true; }
  virtual time_t duration() const { return 0; }
  // NOLINTEND(modernize-use-override)
#pragma GCC diagnostic pop

 private:
  std::string_view input_;
  std::string output_;
};

}  // namespace airamp::sidecar
