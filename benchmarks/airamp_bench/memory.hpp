// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>

namespace airamp::benchmark {

/// Where the buffers of the calls live. Errors are std::runtime_error. Not thread-safe.
class Memory {
 public:
  Memory() = default;
  virtual ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// At least `bytes` bytes, aligned to a cache line.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void release(std::byte* data) = 0;

  /// Between this memory, host memory and this memory again; done on return.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void fill(void* data, unsigned char value, std::size_t bytes) = 0;

  /// Host memory that is fast to copy to, a multiple of 64 bytes.
  virtual std::span<std::byte> staging() = 0;

  /// The bytes themselves if the host can read them, nullptr otherwise.
  virtual const std::byte* readable(const std::byte* data) const = 0;
};

std::unique_ptr<Memory> host_memory();

/// Memory of GPU number (rank on this host) mod (number of GPUs), which becomes this process's current device. Not
/// collective. Throws std::runtime_error if there is no GPU, no CUDA runtime, or no support built in.
std::unique_ptr<Memory> device_memory(int local_rank);

/// A piece of memory that is released at the end of its life.
class Buffer {
 public:
  Buffer(Memory& memory, std::size_t bytes, std::size_t offset)
      : memory_(memory), storage_(memory.allocate(bytes + offset)), offset_(offset), bytes_(bytes) {}
  ~Buffer() { memory_.release(storage_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return storage_ + offset_; }
  std::size_t size() const { return bytes_; }

 private:
  Memory& memory_;
  std::byte* storage_;
  std::size_t offset_;
  std::size_t bytes_;
};

}  // namespace airamp::benchmark
