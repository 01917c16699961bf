// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// How a collective of the library is seen to be complete: its stream is asked. A kernel of ours behind the library's
// would have to be launched and started first, which takes longer than the question, and the stream also tells of
// errors.
#include "gpu/runtime/ccl.hpp"

#include <atomic>
#include <cstdint>
#include <new>

#include "gpu/device/arguments.hpp"
#include "gpu/runtime/ccl_library.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/error_text.hpp"
#include "gpu/runtime/queue_clock.hpp"

namespace airamp::gpu {

struct Ccl {
  Device* device = nullptr;
  const runtime::CclLibrary* library = nullptr;
  runtime::CclLibrary::Communicator communicator = nullptr;
  int rank = 0;
  int size = 0;
  void* detour = nullptr;  ///< device memory of the running collective, see take_detour
};

namespace runtime {
namespace {

using Type = CclLibrary::Type;

/// How often the library is asked whether it has noticed that another rank is lost.
constexpr std::uint64_t patience_nanoseconds = 1'000'000;

Type type_of(DataType type) {
  switch (type) {
    case DataType::float16:
      return Type::float16;
    case DataType::bfloat16:
      return Type::bfloat16;
    case DataType::float32:
      return Type::float32;
    case DataType::float64:
      return Type::float64;
    case DataType::int32:
      return Type::int32;
    case DataType::uint32:
      return Type::uint32;
    case DataType::int64:
      return Type::int64;
    case DataType::uint64:
      return Type::uint64;
    default:
      break;
  }
  return Type::int8;
}

CclLibrary::Operation operation_of(ReduceOp op) {
  switch (op) {
    case ReduceOp::prod:
      return CclLibrary::Operation::prod;
    case ReduceOp::max:
      return CclLibrary::Operation::max;
    case ReduceOp::min:
      return CclLibrary::Operation::min;
    default:
      break;
  }
  return CclLibrary::Operation::sum;
}

/// Whether the library is asked for a pattern.
constexpr bool is_in_library(Pattern pattern) {
  return pattern == Pattern::allreduce || pattern == Pattern::reduce_scatter_block || pattern == Pattern::allgather ||
         pattern == Pattern::bcast;
}

void set_flag(Queue& queue, std::uint32_t value) { queue.words->say(value); }

/// The buffers as the library gets them.
struct Buffers {
  const void* input;
  void* output;
  std::size_t copied_back = 0;  ///< bytes that go from `output` to the collective's output afterwards
};

/// The library wants whole elements where the type has its elements, and results of an in-place reduction where they
/// lie in the vector; MPI has no such rules. What does not fit is copied, which is for this rank alone to know.
bool take_detour(Queue& queue, Ccl& ccl, const CclCollective& c, Buffers& buffers, Error& error) {
  if (!reduces(c.pattern)) return true;
  const std::size_t element = size_of(c.type);
  const std::size_t output_bytes = c.elements * element;
  const bool scatters = c.pattern == Pattern::reduce_scatter_block;
  const std::size_t input_bytes = scatters ? output_bytes * static_cast<std::size_t>(ccl.size) : output_bytes;
  const auto lies_between = [element](const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % element != 0;
  };
  const bool in_place = scatters && c.input == c.output && ccl.rank != 0;
  const std::size_t for_input = lies_between(c.input) ? input_bytes : 0;
  const std::size_t for_output = lies_between(c.output) || in_place ? output_bytes : 0;
  if (for_input + for_output == 0) return true;
  if (!succeeded(platform::allocate(&ccl.detour, for_input + for_output), "allocating memory on the GPU", error))
    return false;
  auto* const memory = static_cast<std::byte*>(ccl.detour);
  if (for_output > 0) buffers.output = memory + for_input;
  buffers.copied_back = for_output;
  if (for_input == 0) return true;
  buffers.input = memory;
  return succeeded(platform::copy(memory, c.input, for_input, queue.stream), "copying", error);
}

CclLibrary::Result issue(const Queue& queue, const Ccl& ccl, const CclCollective& c, const Buffers& buffers) {
  const CclLibrary& library = *ccl.library;
  const std::size_t moved = c.elements * size_of(c.type);
  switch (c.pattern) {
    case Pattern::allreduce:
      return library.all_reduce(buffers.input, buffers.output, c.elements, type_of(c.type), operation_of(c.op),
                                ccl.communicator, queue.stream);
    case Pattern::reduce_scatter_block:
      return library.reduce_scatter(buffers.input, buffers.output, c.elements, type_of(c.type), operation_of(c.op),
                                    ccl.communicator, queue.stream);
    case Pattern::allgather:
      return library.all_gather(buffers.input, buffers.output, moved, Type::int8, ccl.communicator, queue.stream);
    default:  // a broadcast: the others were refused before
      break;
  }
  return library.broadcast(buffers.output, buffers.output, moved, Type::int8, c.root, ccl.communicator, queue.stream);
}

void end_detour(Ccl& ccl) {
  if (ccl.detour != nullptr) static_cast<void>(platform::free(ccl.detour));
  ccl.detour = nullptr;
}

}  // namespace

bool ccl_find(Device* device, CclSite& site, Error& error) noexcept {
  const CclLibrary* library = CclLibrary::find(error);
  if (library == nullptr) return false;
  // The library works in the primary context, and would create it.
  if (!device->context.is_primary()) {
    describe(error, "looking at the application's GPU context", "the library works in primary contexts alone");
    return false;
  }
  const platform::CurrentContext current(device->context);
  site = {.version = library->version, .bus_id = {}};
  return current.check(error) &&
         succeeded(platform::get_bus_id(site.bus_id.data(), static_cast<int>(site.bus_id.size())),
                   "asking for the GPU's address", error);
}

bool ccl_unique_id(Device* device, CclId& id, Error& error) noexcept {
  const CclLibrary* library = CclLibrary::find(error);
  const platform::CurrentContext current(device->context);
  return library != nullptr && current.check(error) &&
         library->succeeded(library->get_unique_id(&id), "naming a communicator", error);
}

Ccl* ccl_open(Device* device, const CclId& id, int rank, int size, Error& error) noexcept {
  const CclLibrary* library = CclLibrary::find(error);
  if (library == nullptr) return nullptr;
  auto* ccl = new (std::nothrow) Ccl{.device = device, .library = library, .rank = rank, .size = size};
  if (ccl == nullptr) {
    describe(error, "opening a communicator", "out of memory");
    return nullptr;
  }
  const platform::CurrentContext current(device->context);
  if (current.check(error) &&
      library->succeeded(library->comm_init_rank(&ccl->communicator, size, id, rank), "opening a communicator", error))
    return ccl;
  delete ccl;
  return nullptr;
}

void ccl_close(Ccl* ccl, bool aborts) noexcept {
  {
    const platform::CurrentContext current(ccl->device->context);
    if (current.is_current()) {
      const CclLibrary& library = *ccl->library;
      static_cast<void>(aborts ? library.comm_abort(ccl->communicator) : library.comm_destroy(ccl->communicator));
      end_detour(*ccl);
    }
  }
  delete ccl;
}

bool ccl_start(Queue* queue, Ccl* ccl, const CclCollective& collective, Error& error) noexcept {
  if (!is_in_library(collective.pattern)) {
    describe(error, "starting a collective", "the library is not asked for this one");
    return false;
  }
  const platform::CurrentContext current(queue->device->context);
  Buffers buffers{.input = collective.input, .output = collective.output};
  if (!current.check(error) || !take_detour(*queue, *ccl, collective, buffers, error)) return false;
  set_flag(*queue, device::launch_running);  // from here on the stream may have work that never ends
  queue->ccl = ccl;
  queue->asked_nanoseconds = nanoseconds_now();
  if (!ccl->library->succeeded(issue(*queue, *ccl, collective, buffers), "starting a collective", error)) return false;
  return buffers.copied_back == 0 ||
         succeeded(platform::copy(collective.output, buffers.output, buffers.copied_back, queue->stream), "copying",
                   error);
}

Progress ccl_progress(Queue& queue, Error& error) noexcept {
  Ccl& ccl = *queue.ccl;
  const platform::CurrentContext current(queue.device->context);
  if (!current.check(error)) return Progress::failed;
  const platform::Status state = platform::query(queue.stream);
  if (state == platform::success) {
    end_detour(ccl);
    queue.ccl = nullptr;
    set_flag(queue, device::launch_done);
    return Progress::done;
  }
  if (state != platform::not_ready) {
    succeeded(state, "running a collective of the library", error);
    return Progress::failed;
  }
  platform::forget_error();
  const std::uint64_t now = nanoseconds_now();
  if (now - queue.asked_nanoseconds < patience_nanoseconds) return Progress::running;
  queue.asked_nanoseconds = now;
  CclLibrary::Result noticed = CclLibrary::Result::success;
  const bool well = ccl.library->succeeded(ccl.library->comm_get_async_error(ccl.communicator, &noticed),
                                           "asking about a collective", error) &&
                    ccl.library->succeeded(noticed, "running a collective", error);
  return well ? Progress::running : Progress::failed;
}

}  // namespace runtime
}  // namespace airamp::gpu
