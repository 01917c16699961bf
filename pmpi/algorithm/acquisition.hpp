// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/algorithm_id.hpp"
#include "gpu/location.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/device/row_codec.hpp"
#include "pmpi/group/communicator_resources.hpp"
#include "pmpi/group/job_channel.hpp"
#include "pmpi/group/made.hpp"
#include "pmpi/mpi/result.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {

/// For whom and what an algorithm is acquired, within the first call that needs it.
struct Acquisition {
  AlgorithmId id;
  Kind kind;
  const LocalFacts& facts;
  const gpu::Location& gpu;  ///< where this rank's device buffers lie
  std::uint64_t max_bytes;   ///< of one call
  MPI_Comm comm;             ///< the application's
  int rank;
  int size;
  CommunicatorResources& resources;
  std::optional<int>& tag;  ///< agreed: of the signature's messages
};

/// What came of it, the same on all ranks but for the objects themselves.
struct [[nodiscard]] Acquired {
  int error = MPI_SUCCESS;  ///< an MPI error code, with which the call ends
  std::unique_ptr<Algorithm> algorithm;
  std::string why_not;  ///< where there is no algorithm
};

/// Before the first communicator of ours is made for the application's. Collective; returns an MPI error code.
int agree_on_order_of_release(const Acquisition& acquisition);

/// Collective. Returns an MPI error code.
int create_private_communicator(const Acquisition& acquisition);

/// Tags for messages, where there are none yet. Collective. Where there are none afterwards, they have run out.
int acquire_tag(const Acquisition& acquisition, std::optional<int>& tag);
inline constexpr const char* no_tag = "the tags for its messages have run out";

/// What messages among all ranks need. Collective. Without an error and a reason why not, `route_for` may follow.
Acquired acquire_messages(const Acquisition& acquisition, std::optional<int>& tag);

/// The way of such messages. Local; throws std::bad_alloc.
MessageRoute route_for(const Acquisition& acquisition, int tag);

/// The same of the signature's.
inline Acquired acquire_messages(const Acquisition& acquisition) {
  return acquire_messages(acquisition, acquisition.tag);
}
inline MessageRoute route_for(const Acquisition& acquisition) { return route_for(acquisition, *acquisition.tag); }

/// Among all `size` ranks of a communicator of ours. Throws std::bad_alloc.
MessageRoute route_on(const PrivateCommunicator& communicator, int size, int tag);

/// A codec for buffers like those of the facts; nullptr if this rank's GPU cannot. Local; throws std::bad_alloc.
std::unique_ptr<RowCodec> make_row_codec(const Acquisition& acquisition);

/// Rows for an algorithm with such a codec. Local; throws std::bad_alloc.
std::shared_ptr<WireScratch> scratch_for(const Acquisition& acquisition);

/// What `make` returns, if it returns something on all ranks. `make` is local, returns nullptr if this rank cannot, and
/// may throw NoScratch or std::bad_alloc. Collective.
Acquired acquire_with_scratch(const Acquisition& acquisition, const std::function<std::unique_ptr<Algorithm>()>& make);

/// Makes what is made once by `create`, a group's own function; where it cannot be had rank 0 says so in the log.
/// Collective; returns an MPI error code.
template <class Pointer, class Create>
int make_once(const Acquisition& acquisition, MadeOnce<Pointer>& once, const Create& create, const char* cannot) {
  if (once.tried) return MPI_SUCCESS;
  once.tried = true;
  Result<Made<Pointer>> result = create(acquisition.comm, acquisition.rank, acquisition.size, acquisition.gpu);
  if (!result.ok()) return result.error();
  once.made = std::move(result->made);
  once.why_not = std::move(result->why_not);
  if (once.made == nullptr && acquisition.rank == 0) {
    telemetry::log(config::LogLevel::info, std::string("a communicator ") + cannot + ": " + once.why_not);
  }
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
