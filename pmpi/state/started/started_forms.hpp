// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "core/algorithm_id.hpp"
#include "pmpi/call/started/start_arguments.hpp"
#include "pmpi/group/host/running_starts.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

struct SignatureState;

/// Calls of a communicator's that are started, of one function, length, type and operation, and how they go. The same
/// on all ranks after the same start, but for `latest` and `gpu`.
struct StartedForm {
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t bytes = 0;
  std::uint64_t equal_arguments = 0;  ///< CollectiveCall::equal_arguments
  bool eligible = false;              ///< AIRamp knows the type and the operation
  StartArguments latest{};            ///< of a call of this rank's
  GpuDevice* gpu = nullptr;           ///< that holds the buffers of this rank's latest call since it is due
  std::uint64_t calls = 0;
  std::uint64_t settled_from = never;       ///< from so many calls on it is to be settled how they go
  SignatureState* signature = nullptr;      ///< once it is
  bool has_carrier = false;                 ///< what follows was made, on all ranks
  std::shared_ptr<StartCarrier> carrier{};  ///< nullptr: they have no data
  std::shared_ptr<RunningStarts> starts{};  ///< where they run
  AlgorithmId algorithm{};                  ///< whose these are
  bool carried = false;                     ///< they go through memory that the ranks share

  bool is_due() const { return calls >= settled_from; }

  /// Whether its vectors are too long for the memory of the host, so that GPUs alone may carry them.
  bool is_for_gpus() const { return job().gpus && bytes > StartRing::for_short.max_bytes; }
};

/// All of a communicator's. How they go can be agreed on only where all ranks wait for all, which they do not in a
/// start: in a call of another kind. The same on all ranks after the same call, and used as the communicator's starts
/// are.
class StartedForms {
 public:
  /// Those that are met first; others stay native.
  static constexpr std::size_t most = 64;

  StartedForms() = default;
  ~StartedForms() { set_due(false); }
  StartedForms(const StartedForms&) = delete;
  StartedForms& operator=(const StartedForms&) = delete;

  /// The one of such arguments, `bytes` bytes; a new one if there is none. nullptr if there are too many.
  StartedForm* find_or_add(const StartArguments& arguments, std::uint64_t bytes);

  /// What is held on GPUs is gone: how calls go that they carried is to be settled again. On all ranks after the same
  /// call.
  void forget_gpus();

  StartedForm* begin() { return forms_.data(); }
  StartedForm* end() { return forms_.data() + count_; }

  /// Whether some are due, which the next call in which all wait for all is to settle.
  bool is_due() const { return due_; }
  void set_due(bool due);

  /// Whether there are such communicators. Any thread may ask.
  static bool any_due() noexcept { return due_communicators.load(std::memory_order_relaxed) > 0; }

 private:
  static std::atomic<int> due_communicators;

  std::array<StartedForm, most> forms_{};
  std::size_t count_ = 0;
  std::size_t latest_ = 0;
  bool due_ = false;
};

}  // namespace airamp::pmpi
