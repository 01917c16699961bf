// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gpu/backend.hpp"
#include "gpu/runtime/platform.hpp"

namespace airamp::gpu::runtime {

/// The few functions of NCCL, under the same names those of RCCL, that are needed; found at run time, so that neither
/// the build nor a machine without GPUs needs the library. Its binary interface has kept these since version 2.10.
struct CclLibrary {
  using Communicator = void*;
  enum class Result : int { success = 0 };
  enum class Type : int {
    int8 = 0,
    int32 = 2,
    uint32 = 3,
    int64 = 4,
    uint64 = 5,
    float16 = 6,
    float32 = 7,
    float64 = 8,
    bfloat16 = 9
  };
  enum class Operation : int { sum = 0, prod = 1, max = 2, min = 3 };
  static constexpr int oldest_version = 21000;

  Result (*get_version)(int* version);
  Result (*get_unique_id)(CclId* id);
  Result (*comm_init_rank)(Communicator* communicator, int size, CclId id, int rank);
  Result (*comm_destroy)(Communicator communicator);
  Result (*comm_abort)(Communicator communicator);
  Result (*comm_get_async_error)(Communicator communicator, Result* error);
  const char* (*get_error_string)(Result result);
  Result (*all_reduce)(const void* input, void* output, std::size_t count, Type type, Operation operation,
                       Communicator communicator, platform::Stream stream);
  Result (*all_gather)(const void* input, void* output, std::size_t count_of_each, Type type, Communicator communicator,
                       platform::Stream stream);
  Result (*reduce_scatter)(const void* input, void* output, std::size_t count_of_each, Type type, Operation operation,
                           Communicator communicator, platform::Stream stream);
  Result (*broadcast)(const void* input, void* output, std::size_t count, Type type, int root,
                      Communicator communicator, platform::Stream stream);
  int version;

  /// The library, opened on the first call; nullptr, and why in `error`, if there is none that will do. Thread-safe.
  static const CclLibrary* find(Error& error) noexcept;

  /// Whether `result` is success; if not, says in `error` what was attempted and why it failed.
  bool succeeded(Result result, const char* attempted, Error& error) const noexcept;
};

}  // namespace airamp::gpu::runtime
