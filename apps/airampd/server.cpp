// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server.hpp"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <new>
#include <span>
#include <system_error>

namespace airamp::sidecar {
namespace {

constexpr int sweep_milliseconds = 250;
constexpr std::size_t other_files = 64;  ///< descriptors that are not connections

/// So many connections as the process may have files open.
std::size_t connection_limit() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return Server::max_connections;
  const rlim_t wanted = std::min<rlim_t>(files.rlim_max, Server::max_connections + other_files);
  if (files.rlim_cur < wanted) {
    files.rlim_cur = wanted;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  getrlimit(RLIMIT_NOFILE, &files);
  const rlim_t spare = files.rlim_cur > 2 * other_files ? files.rlim_cur - other_files : files.rlim_cur / 2;
  return std::clamp<std::size_t>(spare, 1, Server::max_connections);
}

void check(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
}

void watch_readable(int poll, int descriptor) {
  epoll_event event{.events = EPOLLIN, .data = {.fd = descriptor}};
  check(epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
}

}  // namespace

Server::Server(int listening, int ending, const Tls* tls, HttpHandler& handler)
    : listening_(listening),
      ending_(ending),
      tls_(tls),
      handler_(handler),
      poll_(epoll_create1(EPOLL_CLOEXEC)),
      limit_(connection_limit()) {
  check(poll_.get(), "epoll_create1");
  watch_readable(poll_.get(), listening);
  watch_readable(poll_.get(), ending);
}

void Server::run() {
  Clock::time_point next_sweep = Clock::now();
  while (!ended_) {
    wait(connections_.empty() ? -1 : sweep_milliseconds);
    if (Clock::now() < next_sweep) continue;
    sweep();
    next_sweep = Clock::now() + std::chrono::milliseconds(sweep_milliseconds);
  }
  epoll_ctl(poll_.get(), EPOLL_CTL_DEL, listening_, nullptr);
  epoll_ctl(poll_.get(), EPOLL_CTL_DEL, ending_, nullptr);
  const Clock::time_point end = Clock::now() + Connection::farewell_time;
  for (const auto& [socket, connection] : connections_) connection->finish(Clock::now());
  for (sweep(); !connections_.empty() && Clock::now() < end; sweep()) wait(10);
  connections_.clear();
}

void Server::wait(int milliseconds) {
  std::array<epoll_event, 256> events;
  const int count = epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), milliseconds);
  if (count < 0 && errno == EINTR) return;
  check(count, "epoll_wait");
  bool new_clients = false;
  for (const epoll_event& event : std::span(events).first(static_cast<std::size_t>(count))) {
    const int descriptor = event.data.fd;
    if (descriptor == ending_) {
      ended_ = true;
    } else if (descriptor == listening_) {
      new_clients = true;
    } else {
      advance(descriptor);
    }
  }
  // Last: a new connection may get the number of one that the events above closed.
  if (new_clients) accept_clients();
}

void Server::accept_clients() {
  constexpr int at_once = 64;
  for (int i = 0; i < at_once; ++i) {
    config::FileDescriptor socket(accept4(listening_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    const int number = socket.get();
    if (number < 0) {
      // Out of files or memory: who waits longest makes room, and the client stays in the queue until then.
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) make_room();
      return;
    }
    if (connections_.size() >= limit_) make_room();
    try {
      std::unique_ptr<Channel> channel =
          tls_ != nullptr ? tls_->make_channel(std::move(socket)) : make_plain_channel(std::move(socket));
      auto connection = std::make_unique<Connection>(std::move(channel), handler_, Clock::now());
      watch(*connection, EPOLL_CTL_ADD);
      connections_[number] = std::move(connection);
    } catch (const std::bad_alloc&) {
      make_room();
      continue;
    }
    advance(number);
  }
}

void Server::make_room() {
  const auto waits_longer = [](const auto& a, const auto& b) {
    const Connection& first = *a.second;
    const Connection& second = *b.second;
    if (first.is_idle() != second.is_idle()) return first.is_idle();
    return first.since() < second.since();
  };
  const auto oldest = std::min_element(connections_.begin(), connections_.end(), waits_longer);
  if (oldest != connections_.end()) connections_.erase(oldest);
}

void Server::advance(int socket) {
  const auto place = connections_.find(socket);
  if (place == connections_.end()) return;
  Connection& connection = *place->second;
  const bool wanted_to_write = connection.wants_to_write();
  connection.advance(Clock::now());
  if (connection.state() == Connection::State::closed) {
    connections_.erase(place);
    return;
  }
  if (connection.wants_to_write() != wanted_to_write) watch(connection, EPOLL_CTL_MOD);
  if (connection.held_bytes() > 0) limit_held_bytes();
}

void Server::watch(Connection& connection, int operation) const {
  const auto events = static_cast<std::uint32_t>(connection.wants_to_write() ? EPOLLOUT : EPOLLIN);
  epoll_event event{.events = events, .data = {.fd = connection.socket()}};
  check(epoll_ctl(poll_.get(), operation, connection.socket(), &event), "epoll_ctl");
}

void Server::sweep() {
  const Clock::time_point now = Clock::now();
  for (auto place = connections_.begin(); place != connections_.end();) {
    Connection& connection = *place->second;
    const bool wanted_to_write = connection.wants_to_write();
    connection.check_time(now);
    if (connection.state() == Connection::State::closed) {
      place = connections_.erase(place);
      continue;
    }
    if (connection.wants_to_write() != wanted_to_write) watch(connection, EPOLL_CTL_MOD);
    ++place;
  }
}

void Server::limit_held_bytes() {
  std::size_t held = 0;
  auto oldest = connections_.end();
  for (auto place = connections_.begin(); place != connections_.end(); ++place) {
    held += place->second->held_bytes();
    if (place->second->is_idle()) continue;
    if (oldest == connections_.end() || place->second->since() < oldest->second->since()) oldest = place;
  }
  if (held > max_held_bytes && oldest != connections_.end()) connections_.erase(oldest);
}

}  // namespace airamp::sidecar
