// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/backend.hpp"
#include "pmpi/device/gpu_device.hpp"
#include "pmpi/group/host/host_meeting.hpp"
#include "pmpi/group/made.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"
#include "tuner/agreement_gate.hpp"

namespace airamp::pmpi {

/// A part of every rank's GPU scratch memory, of the same size, as mapped in this process. Gives this rank's part back.
class PeerRegion {
 public:
  PeerRegion(GpuDevice& device, std::size_t own_offset, std::size_t bytes)
      : device_(device), own_offset_(own_offset), bytes_(bytes) {}
  ~PeerRegion() { device_.free(own_offset_); }
  PeerRegion(const PeerRegion&) = delete;
  PeerRegion& operator=(const PeerRegion&) = delete;

  std::array<std::byte*, gpu::max_peers> base{};  ///< by rank
  std::size_t own_offset() const { return own_offset_; }
  std::size_t bytes() const { return bytes_; }

 private:
  GpuDevice& device_;
  std::size_t own_offset_;
  std::size_t bytes_;
};

/// The ranks of a communicator that are all on one host, each with a GPU that reaches the others' scratch memory.
/// Used by one thread at a time.
class PeerGroup {
 public:
  /// Collective over `comm`. `location`: of this rank's buffer. Empty unless all ranks could. Communicators of the same
  /// ranks in the same order share a group, unless several threads may be in their collectives at once: MPI wants such
  /// collectives in the same order on all ranks (MPI-4.1, 6.14). Throws std::bad_alloc.
  static Result<Made<std::shared_ptr<PeerGroup>>> find_or_create(MPI_Comm comm, int rank, int size,
                                                                 const gpu::Location& location);
  ~PeerGroup();
  PeerGroup(const PeerGroup&) = delete;
  PeerGroup& operator=(const PeerGroup&) = delete;

  HostMeeting& meeting() { return meeting_; }
  GpuDevice& device() { return device_; }
  const gpu::Location& location() const { return device_.location(); }
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// The region for messages of so many bytes; nullptr if a large one is wanted and was not acquired.
  const PeerRegion* region(std::uint64_t message_bytes) const;

  /// Collective over `comm`: acquires the large region, if messages of so many bytes need it and nobody has tried
  /// before. Returns an MPI error code.
  int acquire_region(MPI_Comm comm, std::uint64_t message_bytes);

  /// Collective over `comm`: a part of every rank's scratch memory, `bytes` bytes of it or, where some rank has less,
  /// as many as that, but not less than `least`; empty if there are not so many.
  Result<std::unique_ptr<PeerRegion>> acquire_part(MPI_Comm comm, std::uint64_t bytes, std::uint64_t least);

  /// Collective, after a meeting: runs it in `region`, calls `meanwhile`, if there is something to call, and waits for
  /// its output. If some rank's kernel finds no room on its GPU within `patience_seconds` (NaN: a while), or another
  /// rank's kernel has waited for it in vain for longer, nothing has happened to the data, and `called_off` is true on
  /// all ranks; the next calls are then called off at once, for some time. Returns an MPI error code.
  int run(gpu::PeerCollective& collective, const PeerRegion& region, double patience_seconds, bool& called_off,
          const std::function<void()>& meanwhile = {});

  /// Before a meeting: waits until all is complete that the application has put into its default stream, if a launch
  /// has lately had to wait for that, which other ranks' kernels then waited for. Local.
  void wait_for_application();

  /// Orders the next run after what the application has put into its default stream until now. Local.
  void order();

 private:
  /// Where a rank runs. A group is of these processes in this order.
  struct Member {
    std::uint64_t host;
    std::uint64_t process;
    std::uint64_t threads;  ///< 1: several at once may call MPI
    bool operator==(const Member&) const = default;
  };

  PeerGroup(GpuDevice& device, int rank, int size) : device_(device), rank_(rank), size_(size) {}
  static int create(MPI_Comm comm, int rank, int size, const gpu::Location& location, std::shared_ptr<PeerGroup>& group,
                    std::string& why);
  static int find(MPI_Comm comm, const std::vector<Member>& members, const gpu::Location& location,
                  std::shared_ptr<PeerGroup>& group);
  int exchange_offsets(MPI_Comm comm, PeerRegion& region);
  bool is_ready();
  bool all_say(bool yes);
  int wait(const PeerRegion& region, double patience_seconds, bool& called_off, bool& again);
  gpu::Progress wait_for_launch(double patience_seconds, bool& lacks_room, gpu::Error& error);
  int leave_together(const PeerRegion& region, bool lacks_room, bool& called_off, bool& again);
  void wait_for_stream();
  bool has_left();
  int fail(const std::string& what);

  GpuDevice& device_;
  int rank_;
  int size_;
  int multiprocessors_ = 1;  ///< of the GPU that has fewest for each of its ranks
  std::vector<Member> members_;
  std::uint64_t identity_ = 0;  ///< tells groups of the same members apart; the same on all ranks
  HostMeeting meeting_;
  gpu::Queue* queue_ = nullptr;
  std::array<std::byte*, gpu::max_peers> scratch_{};  ///< by rank
  std::unique_ptr<LaunchStatePlace> state_;
  std::unique_ptr<PeerRegion> small_;
  std::unique_ptr<PeerRegion> large_;
  bool large_tried_ = false;
  bool broken_ = false;                 ///< a launch failed somewhere: what is in the regions is unknown
  double usual_seconds_ = 0;            ///< that the present collective takes at most, if all ranks run
  int waits_left_ = 0;                  ///< calls that are to wait for the application's default stream
  const PeerRegion* spoilt_ = nullptr;  ///< by a launch that was called off; until all ranks are ready for another
  tuner::AgreementGate attempts_;       ///< after launches that were called off
};

}  // namespace airamp::pmpi
