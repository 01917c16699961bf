// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A GPU for machines without one. Its memory is ordinary memory that is mapped twice: the application sees a range that
// nobody can read or write, so that a pointer to it that ends up in the MPI library is a segmentation fault, and the
// fake plugin works on the other range. With FAKE_GPU_READABLE=1 the application's range is readable, as for an MPI
// library that takes GPU buffers. Thread-safe.
#pragma once

#include <cstddef>

namespace airamp::fake_gpu {

/// How memory was allocated.
enum class Kind : int {
  device,           ///< in the primary context
  other_context,    ///< of the same GPU
  virtual_mapping,  ///< belongs to the GPU, not to a context
  managed,          ///< the host reads it as well, kernels unless FAKE_GPU_CONCURRENT_MANAGED=0
  registered,       ///< host memory that the driver knows
};

/// Handles of the two contexts.
inline constexpr std::size_t primary_context = 0xc0ffee00;
inline constexpr std::size_t second_context = 0xc0ffee40;

}  // namespace airamp::fake_gpu

extern "C" {

/// Page-aligned memory of zeros; nullptr if there is none.
void* fake_gpu_allocate(std::size_t bytes, airamp::fake_gpu::Kind kind);
void fake_gpu_free(void* memory);

/// Memory of the plugin's own, which the host reaches, is memory of the GPU from now on, and no longer.
void fake_gpu_adopt(void* memory, std::size_t bytes);
void fake_gpu_abandon(void* memory);

/// The address under which the host can reach what lies at `pointer`; other memory than the fake GPU's is at its own.
void* fake_gpu_host_address(const void* pointer);

/// Whether `bytes` bytes at `pointer` are memory that a kernel in `context` reaches.
bool fake_gpu_reaches(const void* context, const void* pointer, std::size_t bytes);

/// Takes all room on this process's GPU for a kernel of the application's, or gives it back: collectives that have not
/// begun by then do not begin meanwhile.
void fake_gpu_occupy(bool occupied);
bool fake_gpu_is_occupied();

/// Has the driver keep this process out, as it does while another thread frees memory of the GPU, as long as a kernel
/// of a collective waits for room.
void fake_gpu_hold_up(bool held_up);
bool fake_gpu_is_held_up();

/// Puts a kernel of the application's into the default stream that runs until it is told to end.
void fake_gpu_keep_default_stream_busy(bool busy);
bool fake_gpu_default_stream_is_busy();

/// What cudaDeviceReset does: contexts and what belongs to them are gone. How often it was called.
void fake_gpu_reset();
unsigned long fake_gpu_resets();

/// Ghosts that this process has launched, and the launch of one more.
unsigned long fake_gpu_ghosts();
void fake_gpu_count_ghost();
}
