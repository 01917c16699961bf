// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/acquisition.hpp"

#include <atomic>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/device_row_codec.hpp"
#include "pmpi/device/host_row_codec.hpp"
#include "pmpi/group/shared_scratch.hpp"
#include "pmpi/job/fault_tolerance.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

int agree_on_order_of_release(const Acquisition& acquisition) {
  std::uint64_t& order = acquisition.resources.order_of_release;
  if (order != 0) return MPI_SUCCESS;
  static std::atomic<std::uint64_t> drawn{0};
  // a number of this rank of MPI_COMM_WORLD, and of no other
  if (acquisition.rank == 0) order = (static_cast<std::uint64_t>(job().rank) << 32U) + drawn.fetch_add(1) + 1;
  return native().MPI_Bcast(&order, 1, MPI_UINT64_T, 0, acquisition.comm);
}

int create_private_communicator(const Acquisition& acquisition) {
  PrivateCommunicator& communicator = acquisition.resources.private_communicator;
  if (communicator.exists()) return MPI_SUCCESS;
  if (const int error = agree_on_order_of_release(acquisition); error != MPI_SUCCESS) return error;
  return communicator.create(acquisition.comm, acquisition.rank);
}

int acquire_tag(const Acquisition& acquisition, std::optional<int>& tag) {
  if (tag) return MPI_SUCCESS;
  const Result<std::optional<int>> agreed = job_channel().agree_on_tag(acquisition.comm);
  if (agreed.ok()) tag = *agreed;
  return agreed.error();
}

Acquired acquire_messages(const Acquisition& acquisition, std::optional<int>& tag) {
  if (const int error = acquire_tag(acquisition, tag); error != MPI_SUCCESS) return {.error = error};
  if (!tag) return {.why_not = no_tag};
  return {.error = job_survives_failures() ? create_private_communicator(acquisition) : MPI_SUCCESS};
}

MessageRoute route_for(const Acquisition& acquisition, int tag) {
  return job_survives_failures() ? route_on(acquisition.resources.private_communicator, acquisition.size, tag)
                                 : job_channel().route(acquisition.comm, tag);
}

MessageRoute route_on(const PrivateCommunicator& communicator, int size, int tag) {
  MessageRoute route{.comm = communicator.get(), .ranks = std::vector<int>(static_cast<std::size_t>(size)), .tag = tag};
  std::iota(route.ranks.begin(), route.ranks.end(), 0);
  return route;
}

std::unique_ptr<RowCodec> make_row_codec(const Acquisition& acquisition) {
  const ElementType element = element_type(acquisition.facts.type).value();
  if (!on_gpu(acquisition.facts.memory)) return std::make_unique<HostRowCodec>(job_codec(element));
  std::unique_ptr<CodecQueues>& queues = acquisition.resources.codec_queues;
  if (queues == nullptr) queues = CodecQueues::open(acquisition.gpu, job_wire_format());
  if (queues == nullptr) return nullptr;
  return std::make_unique<DeviceRowCodec>(*queues, job_wire_format(), element);
}

std::shared_ptr<WireScratch> scratch_for(const Acquisition& acquisition) {
  if (!on_gpu(acquisition.facts.memory)) return shared_scratch(acquisition.resources);
  return std::make_shared<WireScratch>(&acquisition.resources.codec_queues->device());
}

Acquired acquire_with_scratch(const Acquisition& acquisition, const std::function<std::unique_ptr<Algorithm>()>& make) {
  Acquired acquired;
  ScratchAnswer answer = ScratchAnswer::no_memory;
  try {
    acquired.algorithm = make();
    if (acquired.algorithm != nullptr) answer = ScratchAnswer::held;
  } catch (const NoScratch& none) {
    answer = none.answer();
  } catch (const std::bad_alloc&) {
    telemetry::log(config::LogLevel::warn, "no memory for the scratch of a collective: it stays native on all ranks");
  }
  const Result<int> least = agree_on_least(acquisition.comm, static_cast<int>(answer));
  if (!least.ok()) return {.error = least.error()};
  if (*least == static_cast<int>(ScratchAnswer::held)) return acquired;
  acquired.algorithm.reset();
  acquired.why_not = why_no_scratch(static_cast<ScratchAnswer>(*least));
  return acquired;
}

}  // namespace airamp::pmpi
