// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "pmpi/call/started/start_arguments.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/state/started/started_request.hpp"

namespace airamp::pmpi {

/// All of this process. Thread-safe.
class StartedRequests {
 public:
  /// Whether any collective of AIRamp's has been started and its request not been completed. Inline: each wait asks.
  bool any() const noexcept { return active_count_.load(std::memory_order_acquire) > 0; }
  bool any_persistent() const noexcept { return persistent_count_.load(std::memory_order_acquire) > 0; }

  /// One for a nonblocking collective. nullptr if MPI refuses. Throws std::bad_alloc.
  StartedRequest* acquire();

  /// Gives it back, inactive. What has been started goes on, if it runs.
  void give_back(StartedRequest* request);

  /// The application's request is active, and no longer.
  void activate(StartedRequest& request);
  void deactivate(StartedRequest& request) noexcept;

  /// That of an active request, or of a persistent one; nullptr if it is none of AIRamp's.
  StartedRequest* find(MPI_Request request) noexcept;
  StartedRequest* find_persistent(MPI_Request request) noexcept;

  /// A persistent collective of the program, whose request is `request`. `may_be_shared`: its starts may go through
  /// shared memory. `copied`: those that do not go on these copies. Throws std::bad_alloc.
  void add_persistent(MPI_Request request, const StartArguments& arguments, bool may_be_shared,
                      std::unique_ptr<CopiedStart> copied);

  /// The program frees it.
  void remove_persistent(StartedRequest* request);

  /// `comm` is being freed, and its handle may be another communicator's soon.
  void forget(MPI_Comm comm) noexcept;

  /// Gives back all of them, before MPI_Finalize.
  void release() noexcept;

 private:
  using Owned = std::vector<std::unique_ptr<StartedRequest>>;

  std::unique_lock<std::mutex> lock() noexcept;
  /// What is to be let go of without the lock: the end of the last collective of a communicator that was freed calls
  /// MPI, and copies are large.
  struct Ended {
    std::shared_ptr<RunningStarts> starts;
    std::shared_ptr<StartCarrier> carrier;
    std::unique_ptr<CopiedStart> copied;
  };
  static Ended take_what_ran(StartedRequest& request) noexcept;
  void reclaim(std::vector<Ended>& ended);
  std::unique_ptr<StartedRequest> take_out(const StartedRequest* request) noexcept;

  std::atomic<std::size_t> active_count_{0};
  std::atomic<std::size_t> persistent_count_{0};
  std::mutex mutex_;  ///< of what follows, where several threads call MPI
  Owned all_;
  std::vector<StartedRequest*> idle_;
  std::vector<StartedRequest*> active_;
  std::vector<StartedRequest*> persistent_;
  std::vector<StartedRequest*> given_up_;  ///< by the program, while they run
  std::size_t next_ = 0;                   ///< of `active_`: programs often wait in the order of their starts
};

/// Called before the program gets the first request of AIRamp's. Set by who does not look at requests until then.
inline constinit std::atomic<void (*)() noexcept> before_first_start{nullptr};

inline constinit ProcessWide<StartedRequests> process_started_requests;

inline StartedRequests& started_requests() noexcept { return *process_started_requests; }

}  // namespace airamp::pmpi
