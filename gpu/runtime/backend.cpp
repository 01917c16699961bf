// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/backend.hpp"

#include "gpu/runtime/call_off.hpp"
#include "gpu/runtime/ccl.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch/launch.hpp"
#include "gpu/runtime/platform.hpp"

extern "C" __attribute__((visibility("default"))) const airamp::gpu::Backend* airamp_gpu_backend() {
  namespace runtime = airamp::gpu::runtime;
  static constexpr airamp::gpu::Backend backend = {
      .version = airamp::gpu::backend_version,
      .name = airamp::gpu::platform::platform_name,
      .open_device = runtime::open_device,
      .load_compression = runtime::load_compression,
      .close_device = runtime::close_device,
      .multiprocessors = runtime::multiprocessors,
      .identity = runtime::identity,
      .is_alive = runtime::is_alive,
      .default_stream = runtime::default_stream,
      .allocate = runtime::allocate,
      .free = runtime::free_memory,
      .map = runtime::map,
      .unmap = runtime::unmap,
      .allocate_host = runtime::allocate_host,
      .free_host = runtime::free_host,
      .open_queue = runtime::open_queue,
      .open_peer_queue = runtime::open_peer_queue,
      .close_queue = runtime::close_queue,
      .open_ghost_queue = runtime::open_ghost_queue,
      .launch_ghost = runtime::launch_ghost,
      .order = runtime::order,
      .leave_unordered = runtime::leave_unordered,
      .launch = runtime::launch,
      .call_off = runtime::call_off,
      .dismiss = runtime::dismiss,
      .recover = runtime::recover,
      .erase = runtime::erase,
      .encode = runtime::encode,
      .decode = runtime::decode,
      .reduce = runtime::reduce,
      .reduce_vectors = runtime::reduce_vectors,
      .copy = runtime::copy,
      .copy_rows = runtime::copy_rows,
      .progress = runtime::progress,
      .ccl_find = runtime::ccl_find,
      .ccl_unique_id = runtime::ccl_unique_id,
      .ccl_open = runtime::ccl_open,
      .ccl_close = runtime::ccl_close,
      .ccl_start = runtime::ccl_start,
  };
  return &backend;
}
