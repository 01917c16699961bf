// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/acquire.hpp"

#include <algorithm>
#include <new>
#include <numeric>

#include "core/size_bucket.hpp"
#include "gpu/host/floating_point_scope.hpp"
#include "pmpi/algorithm/ccl_algorithm.hpp"
#include "pmpi/algorithm/compressed_gather.hpp"
#include "pmpi/algorithm/device_row_codec.hpp"
#include "pmpi/algorithm/host_row_codec.hpp"
#include "pmpi/algorithm/native_persistent.hpp"
#include "pmpi/algorithm/peer_algorithm.hpp"
#include "pmpi/algorithm/two_level.hpp"
#include "pmpi/algorithm/two_shot.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/group/job_channel.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/state/shared_scratch.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

/// The largest message of a signature.
std::uint64_t most_bytes(const CollectiveCall& call) { return bucket_upper_bound(size_bucket(call.bytes())); }

/// For buffers of a view; nullptr if this rank's GPU cannot. Local; throws std::bad_alloc.
std::unique_ptr<RowCodec> make_row_codec(CommunicatorState& state, const View& view, gpu::ElementType element,
                                         const gpu::Location& gpu) {
  if (!on_gpu(view.memory)) return std::make_unique<HostRowCodec>(job_codec(element));
  if (state.codec_queues == nullptr) state.codec_queues = CodecQueues::open(gpu);
  if (state.codec_queues == nullptr) return nullptr;
  return std::make_unique<DeviceRowCodec>(*state.codec_queues, job_wire_format(), element);
}

/// Rows for an algorithm whose codec is for buffers of `view`. Throws std::bad_alloc.
std::shared_ptr<WireScratch> scratch_for(CommunicatorState& state, const View& view) {
  if (view.memory == Memory::device) return std::make_shared<WireScratch>(&state.codec_queues->device());
  return shared_scratch(state);
}

/// Whether the application may revoke its communicators, so that nobody waits on them any more: what our messages
/// travel on is to be revoked with them, and so one communicator for all will not do. (MPICH has the function, but its
/// devices stop the program there.)
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
constexpr bool may_be_revoked = true;
#else
constexpr bool may_be_revoked = false;
#endif

int create_private_communicator(const CollectiveCall& call, CommunicatorState& state) {
  if (state.private_communicator.exists()) return MPI_SUCCESS;
  return state.private_communicator.create(call.communicator(), state.rank);
}

/// Among all `size` ranks of a communicator of ours. Throws std::bad_alloc.
MessageRoute route_on(const PrivateCommunicator& communicator, int size, int tag) {
  MessageRoute route{.comm = communicator.get(), .ranks = std::vector<int>(static_cast<std::size_t>(size)), .tag = tag};
  std::iota(route.ranks.begin(), route.ranks.end(), 0);
  return route;
}

/// Among the ranks of the application's communicator. Throws std::bad_alloc.
MessageRoute route_for(const CollectiveCall& call, const CommunicatorState& state, int tag) {
  return may_be_revoked ? route_on(state.private_communicator, state.size, tag)
                        : job_channel().route(call.communicator(), tag);
}

/// nullptr if this rank's GPU cannot. Local; throws NoScratch or std::bad_alloc.
std::unique_ptr<Algorithm> make_over_mpi(const CollectiveCall& call, CommunicatorState& state, const View& view,
                                         const gpu::Location& gpu, int tag) {
  const gpu::ElementType element = gpu::element_type(view.type).value();
  std::unique_ptr<RowCodec> rows = make_row_codec(state, view, element, gpu);
  if (rows == nullptr) return nullptr;
  std::shared_ptr<WireScratch> scratch = scratch_for(state, view);
  MessageRoute route = route_for(call, state, tag);
  if (call.kind() == Kind::allreduce) {
    return std::make_unique<TwoShotAllreduce>(std::move(rows), job_codec(element), view.op, element, std::move(scratch),
                                              std::move(route), state.rank);
  }
  return std::make_unique<CompressedGather>(std::move(rows), element, std::move(scratch), std::move(route), state.rank);
}

/// Where the signature has no tag afterwards, `why` says why.
int acquire_tag(const CollectiveCall& call, SignatureState& signature, std::string& why) {
  if (signature.tag) return MPI_SUCCESS;
  const int error = job_channel().agree_on_tag(call.communicator(), signature.tag);
  if (!signature.tag) why = "the tags for its messages have run out";
  return error;
}

/// Keeps what `make` returns if all ranks have something; else `why` says why not.
template <class Make>
int acquire_with_scratch(const CollectiveCall& call, std::unique_ptr<Algorithm>& algorithm, std::string& why,
                         const Make& make) {
  ScratchAnswer answer = ScratchAnswer::no_memory;
  try {
    algorithm = make();
    if (algorithm != nullptr) answer = ScratchAnswer::held;
  } catch (const NoScratch& none) {
    answer = none.answer();
  } catch (const std::bad_alloc&) {
    telemetry::log(config::LogLevel::warn, "no memory for the scratch of a collective: it stays native on all ranks");
  }
  int least = 0;
  const int error = agree_on_least(call.communicator(), static_cast<int>(answer), least);
  if (error == MPI_SUCCESS && least == static_cast<int>(ScratchAnswer::held)) return MPI_SUCCESS;
  algorithm.reset();
  why = why_no_scratch(static_cast<ScratchAnswer>(least));
  return error;
}

int acquire_over_mpi(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
                     const gpu::Location& gpu, std::unique_ptr<Algorithm>& algorithm, std::string& why) {
  if (const int error = acquire_tag(call, signature, why); error != MPI_SUCCESS || !signature.tag) return error;
  if (may_be_revoked) {
    if (const int error = create_private_communicator(call, state); error != MPI_SUCCESS) return error;
  }
  return acquire_with_scratch(call, algorithm, why,
                              [&] { return make_over_mpi(call, state, view, gpu, *signature.tag); });
}

int acquire_native_persistent(const CollectiveCall& call, CommunicatorState& state, const View& view,
                              std::unique_ptr<Algorithm>& algorithm, std::string& why) {
  if (const int error = create_private_communicator(call, state); error != MPI_SUCCESS) return error;
  if (PersistentRequest::offers_allreduce()) {
    std::unique_ptr<NativePersistent> own(new (std::nothrow)
                                              NativePersistent(state.private_communicator.get(), view.type, view.op));
    if (own != nullptr && own->ready()) algorithm = std::move(own);
  }
  bool acquired = false;
  const int error = agree_on_success(call.communicator(), algorithm != nullptr, acquired);
  if (!acquired) {
    algorithm.reset();
    why = "the MPI library has no persistent MPI_Allreduce";
  }
  return error;
}

int acquire_peers(const CollectiveCall& call, CommunicatorState& state, const gpu::Location& gpu) {
  if (state.peers_tried) return MPI_SUCCESS;
  state.peers_tried = true;
  const int error =
      PeerGroup::find_or_create(call.communicator(), state.rank, state.size, gpu, state.peers, state.why_no_peers);
  if (error == MPI_SUCCESS && state.peers == nullptr && state.rank == 0) {
    telemetry::log(config::LogLevel::info, "a communicator cannot use GPU peer memory: " + state.why_no_peers);
  }
  return error;
}

int acquire_over_peers(const CollectiveCall& call, CommunicatorState& state, Path path, const View& view,
                       std::unique_ptr<Algorithm>& algorithm, std::string& why) {
  if (state.peers == nullptr) {
    why = "no GPU peer memory: " + state.why_no_peers;
    return MPI_SUCCESS;
  }
  const std::uint64_t bytes = path == Path::peer_one_shot ? 0 : most_bytes(call);  // its limit is the small region's
  if (const int error = state.peers->acquire_region(call.communicator(), bytes); error != MPI_SUCCESS) return error;
  const PeerRegion* region = state.peers->region(bytes);
  if (region == nullptr) {
    why = "the GPU scratch memory is taken by other communicators";
    return MPI_SUCCESS;
  }
  algorithm = std::make_unique<PeerAlgorithm>(*state.peers, *region, call.kind(), path, view);
  return MPI_SUCCESS;
}

int acquire_ccl(const CollectiveCall& call, CommunicatorState& state, const View& view, const gpu::Location& gpu,
                std::unique_ptr<Algorithm>& algorithm, std::string& why) {
  if (!state.ccl_tried) {
    state.ccl_tried = true;
    const int error = CclGroup::create(call.communicator(), state.rank, state.size, gpu, state.ccl, state.why_no_ccl);
    if (error != MPI_SUCCESS) return error;
    if (state.ccl == nullptr && state.rank == 0) {
      telemetry::log(config::LogLevel::info,
                     "a communicator cannot use a collective communication library: " + state.why_no_ccl);
    }
  }
  if (state.ccl == nullptr) {
    why = "no collective communication library: " + state.why_no_ccl;
    return MPI_SUCCESS;
  }
  algorithm = std::make_unique<CclAlgorithm>(*state.ccl, call.kind(), view);
  return MPI_SUCCESS;
}

/// nullptr if this rank's GPU cannot. Local; throws NoScratch or std::bad_alloc.
std::unique_ptr<Algorithm> make_two_level(CommunicatorState& state, Path path, const View& view,
                                          const gpu::Location& gpu, const PeerRegion& region, int tag) {
  TwoLevelGroup& group = *state.two_level;
  std::unique_ptr<TwoShotAllreduce> compressed;
  if (is_lossy(path)) {
    const gpu::ElementType element = gpu::element_type(view.type).value();
    std::unique_ptr<RowCodec> rows = make_row_codec(state, view, element, gpu);
    if (rows == nullptr) return nullptr;
    compressed = std::make_unique<TwoShotAllreduce>(
        std::move(rows), job_codec(element), view.op, element, scratch_for(state, view),
        route_on(group.rail_communicator(), group.hosts(), tag), group.host());
  }
  return std::make_unique<TwoLevelAllreduce>(group, region, view, std::move(compressed),
                                             is_lossy(path) ? state.codec_queues.get() : nullptr);
}

int acquire_two_level(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, Path path,
                      const View& view, const gpu::Location& gpu, std::unique_ptr<Algorithm>& algorithm,
                      std::string& why) {
  if (!state.two_level_tried) {
    state.two_level_tried = true;
    const int error = TwoLevelGroup::create(call.communicator(), state.rank, state.size, gpu, state.two_level,
                                            state.why_no_two_level);
    if (error != MPI_SUCCESS) return error;
    if (state.two_level == nullptr && state.rank == 0) {
      telemetry::log(config::LogLevel::info, "a communicator has no two levels: " + state.why_no_two_level);
    }
  }
  if (state.two_level == nullptr) {
    // on one host peer memory has said more
    const bool said = state.peers_tried && state.why_no_two_level == TwoLevelGroup::on_one_host;
    if (!said) why = "no two levels: " + state.why_no_two_level;
    return MPI_SUCCESS;
  }
  PeerGroup& peers = state.two_level->peers();
  const std::uint64_t bytes = most_bytes(call);
  int error = peers.acquire_region(state.two_level->host_communicator(), bytes);
  if (error != MPI_SUCCESS) return error;
  const PeerRegion* region = peers.region(bytes);
  error = acquire_tag(call, signature, why);
  if (error != MPI_SUCCESS || !signature.tag) return error;
  return acquire_with_scratch(call, algorithm, why, [&] {
    return region != nullptr ? make_two_level(state, path, view, gpu, *region, *signature.tag) : nullptr;
  });
}

}  // namespace

int acquire(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
            const gpu::Location& gpu) {
  bool any = false;
  std::string why = "no algorithm of AIRamp's carries it";
  for (std::size_t i = 0; i < signature.paths.size(); ++i) {
    if (signature.given_up[i]) continue;
    const Path path = signature.paths[i];
    std::unique_ptr<Algorithm>& algorithm = signature.algorithms[i];
    int error = MPI_SUCCESS;
    if (over_peer_memory(path)) {
      error = acquire_peers(call, state, gpu);
      if (error == MPI_SUCCESS) error = acquire_over_peers(call, state, path, view, algorithm, why);
    } else if (is_two_level(path)) {
      error = acquire_two_level(call, state, signature, path, view, gpu, algorithm, why);
    } else if (path == Path::ccl) {
      error = acquire_ccl(call, state, view, gpu, algorithm, why);
    } else if (path == Path::native_persistent) {
      error = acquire_native_persistent(call, state, view, algorithm, why);
    } else {
      error = acquire_over_mpi(call, state, signature, view, gpu, algorithm, why);
    }
    if (error != MPI_SUCCESS) return error;
    any = any || algorithm != nullptr;
  }
  signature.acquired = true;
  if (!any) signature.why_not_acquired = why;
  return MPI_SUCCESS;
}

void give_up(SignatureState& signature, std::size_t candidate) {
  const gpu::host::FloatingPointScope scope;  // the tuner compares times that are not known
  std::unique_ptr<Algorithm>& algorithm = signature.algorithms[candidate];
  const std::string why(algorithm->why_given_up());
  signature.given_up[candidate] = true;
  signature.tuner.give_up(candidate, why);
  algorithm.reset();
  const bool any = std::any_of(signature.algorithms.begin(), signature.algorithms.end(),
                               [](const std::unique_ptr<Algorithm>& other) { return other != nullptr; });
  if (!any) signature.why_not_acquired = why;
}

}  // namespace airamp::pmpi
