// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>

#include <cerrno>

#include "apps/airampd/channel.hpp"

namespace airamp::sidecar {
namespace {

class PlainChannel final : public Channel {
 public:
  explicit PlainChannel(config::FileDescriptor socket) : socket_(std::move(socket)) {}

  Progress read(std::span<char> buffer) override {
    const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (count == 0) return {Progress::Next::closed};
    return count > 0 ? transferred(count) : failed(Progress::Next::wait_readable);
  }

  Progress write(std::string_view bytes) override {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return count >= 0 ? transferred(count) : failed(Progress::Next::wait_writable);
  }

  void end_writing() override { ::shutdown(socket_.get(), SHUT_WR); }

  int socket() const override { return socket_.get(); }

 private:
  static Progress transferred(ssize_t count) { return {Progress::Next::go_on, static_cast<std::size_t>(count)}; }

  static Progress failed(Progress::Next wait) {
    if (errno == EINTR) return {};
    return {errno == EAGAIN || errno == EWOULDBLOCK ? wait : Progress::Next::closed};
  }

  config::FileDescriptor socket_;
};

}  // namespace

std::unique_ptr<Channel> make_plain_channel(config::FileDescriptor socket) {
  return std::make_unique<PlainChannel>(std::move(socket));
}

}  // namespace airamp::sidecar
