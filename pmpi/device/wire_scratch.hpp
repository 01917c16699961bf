// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "pmpi/device/wire_buffer.hpp"

namespace airamp::pmpi {

/// Wire rows that several algorithms use in turns, each for one call at a time. Which memory it is may change between
/// calls. Thread-safe; two calls at once, which sharing is to rule out, get memory of their own.
class WireScratch {
 public:
  /// `device`: rows that this GPU reaches as well; nullptr for plain memory.
  explicit WireScratch(GpuDevice* device = nullptr) : device_(device) {}

  /// From now on every call finds at least so many rows. Throws NoScratch or std::bad_alloc; then all is as before.
  void reserve(std::size_t rows) {
    const std::lock_guard lock(mutex_);
    if (idle_ != nullptr && idle_->rows() >= rows) return;
    idle_ = make(std::max(rows, rows_));
    rows_ = idle_->rows();
  }

  /// The rows, for as long as a call lasts.
  class Use {
   public:
    /// Throws if there is no memory, which can only be where two calls use the rows at once.
    explicit Use(WireScratch& scratch) : scratch_(scratch), buffer_(scratch.take()) {}
    ~Use() { scratch_.release(std::move(buffer_)); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    std::byte* row(std::size_t index) { return buffer_->row(index); }

    /// After a call that failed: messages of it may yet arrive in the rows. Nobody gets them again.
    void abandon() { static_cast<void>(buffer_.release()); }

   private:
    WireScratch& scratch_;
    std::unique_ptr<WireBuffer> buffer_;
  };

 private:
  std::unique_ptr<WireBuffer> make(std::size_t rows) const {
    return device_ != nullptr ? std::make_unique<WireBuffer>(rows, *device_) : std::make_unique<WireBuffer>(rows);
  }
  std::unique_ptr<WireBuffer> take() {
    const std::lock_guard lock(mutex_);
    return idle_ != nullptr ? std::move(idle_) : make(rows_);
  }
  void release(std::unique_ptr<WireBuffer> buffer) {
    const std::lock_guard lock(mutex_);
    if (buffer != nullptr && idle_ == nullptr && buffer->rows() >= rows_) idle_ = std::move(buffer);
  }

  GpuDevice* device_;
  std::mutex mutex_;
  std::size_t rows_ = 0;
  std::unique_ptr<WireBuffer> idle_;  ///< empty while a call uses it
};

}  // namespace airamp::pmpi
