// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pola/trace_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace airamp::pola {

using namespace trace_format;

bool TraceWriter::open(const char* path, const TraceHeader& header) noexcept {
  const std::lock_guard lock(mutex_);
  block_.reset(new (std::nothrow) char[block_bytes]);
  if (block_ == nullptr) {
    errno = ENOMEM;
    return false;
  }
  file_ = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) return false;

  put_bytes({magic, sizeof magic});
  put(version);
  put(header.rank);
  put(header.size);
  put(zigzag(header.start_unix_ns));
  const auto put_text = [this](const std::string& text) {
    put(text.size());
    put_bytes(text);
  };
  put_text(header.library);
  put_text(header.program);
  put(header.functions.size());
  for (const std::string& name : header.functions) put_text(name);
  return true;
}

bool TraceWriter::recording() const noexcept {
  const std::lock_guard lock(mutex_);
  return file_ >= 0 && error_ == 0;
}

std::uint32_t TraceWriter::add_communicator(const TraceCommunicator& communicator) noexcept {
  const std::lock_guard lock(mutex_);
  if (file_ >= 0) {
    make_room(largest_record);
    put(communicator_record);
    put(communicator.size);
    put(communicator.rank);
  }
  return communicators_++;
}

void TraceWriter::record(const TraceEvent& event) noexcept {
  const std::lock_guard lock(mutex_);
  if (file_ < 0 || error_ != 0) return;
  make_room(largest_record);
  const std::size_t slot = shape_slot(event);
  if (known_[slot] && same_shape(shapes_[slot], event)) {
    put_bytes({std::array{static_cast<char>(first_known_shape + slot)}.data(), 1});
  } else {
    put(new_shape_record);
    put(event.communicator);
    put(event.function);
    put(event.bytes);
    put(event.arguments);
    shapes_[slot] = event;
    known_[slot] = true;
  }
  put(zigzag(event.entered_ns - last_entered_ns_));
  put(static_cast<std::uint64_t>(std::max(event.left_ns - event.entered_ns, std::int64_t{0})));
  last_entered_ns_ = event.entered_ns;
  ++events_;
}

bool TraceWriter::close() noexcept {
  const std::lock_guard lock(mutex_);
  if (file_ >= 0) {
    make_room(largest_record);
    put(end_record);
    put(events_);
    flush();
    if (::close(file_) != 0 && error_ == 0) error_ = errno;
    file_ = -1;
  }
  errno = error_;
  return error_ == 0;
}

void TraceWriter::make_room(std::size_t bytes) {
  if (used_ + bytes > block_bytes) flush();
}

void TraceWriter::flush() {
  for (std::size_t written = 0; written < used_ && error_ == 0;) {
    const ssize_t count = write_(file_, block_.get() + written, used_ - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  used_ = 0;
}

void TraceWriter::put(std::uint64_t value) {
  make_room(10);
  for (; value >= 0x80; value >>= 7) block_[used_++] = static_cast<char>(value | 0x80);
  block_[used_++] = static_cast<char>(value);
}

void TraceWriter::put_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    make_room(1);
    const std::size_t part = std::min(bytes.size(), block_bytes - used_);
    std::memcpy(block_.get() + used_, bytes.data(), part);
    used_ += part;
    bytes.remove_prefix(part);
  }
}

}  // namespace airamp::pola
