// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/started/started_call.hpp"

#include <cstring>
#include <utility>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/host_copy.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

std::size_t blocks_for(std::uint64_t bytes) {
  return (bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t);
}

/// Numbers whose sums are rounded.
template <class Real>
void fill_with_fractions(std::vector<std::max_align_t>& numbers, std::uint64_t bytes, int rank) {
  for (std::size_t i = 0; (i + 1) * sizeof(Real) <= bytes; ++i) {
    const Real number = Real{1} / static_cast<Real>(i + 3 + static_cast<std::size_t>(rank) * 7);
    std::memcpy(reinterpret_cast<std::byte*>(numbers.data()) + i * sizeof(Real), &number, sizeof(Real));
  }
}

/// Waits for what was started with that error code.
int wait_for(int error, MPI_Request& request) {
  return error == MPI_SUCCESS ? native().MPI_Wait(&request, MPI_STATUS_IGNORE) : error;
}

int start_and_wait(PersistentRequest& request) {
  const int error = request.start();
  return error == MPI_SUCCESS ? request.wait() : error;
}

}  // namespace

StartedCall::StartedCall(const StartArguments& like, std::uint64_t bytes, int rank,
                         std::unique_ptr<ScratchVectors> on_gpu)
    : like_(like),
      bytes_(bytes),
      on_gpu_(std::move(on_gpu)),
      input_(blocks_for(bytes)),
      output_(blocks_for(on_gpu_ == nullptr ? bytes : 0)) {
  fill(rank);
  if (on_gpu_ == nullptr) return;
  ready_ = on_gpu_->device().copy(on_gpu_->input(), input_.data(), bytes_);
  if (!job().copies_started_gpu_buffers) return;
  StartArguments arguments = like_;
  arguments.sendbuf = input();
  arguments.recvbuf = output();
  copied_ = std::make_unique<CopiedStart>(arguments, false);
  ready_ = ready_ && !copied_->failed();
}

void StartedCall::fill(int rank) {
  if (!reduces(kind())) return;
  switch (part_of(facts({.lossless = true}).type)) {
    case DataType::float32:
      return fill_with_fractions<float>(input_, bytes_, rank);
    case DataType::float64:
      return fill_with_fractions<double>(input_, bytes_, rank);
    default:
      auto* const bytes = reinterpret_cast<unsigned char*>(input_.data());
      for (std::size_t i = 0; i < bytes_; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + std::size_t{3} * rank + 1);
  }
}

int StartedCall::open() {
  switch (kind()) {
    case Kind::allreduce_init:
      return persistent_.initialise_allreduce(copied_ != nullptr ? copied_->sendbuf() : input(),
                                              copied_ != nullptr ? copied_->recvbuf() : output(),
                                              static_cast<int>(like_.count), like_.type, like_.op, like_.comm);
    case Kind::barrier_init:
      return persistent_.initialise_barrier(like_.comm);
    default:
      return MPI_SUCCESS;
  }
}

Function StartedCall::function() const {
  switch (kind()) {
    case Kind::iallreduce:
      return Function::MPI_Iallreduce;
    case Kind::allreduce_init:
      return Function::MPI_Allreduce_init;
    case Kind::barrier_init:
      return Function::MPI_Barrier_init;
    default:
      return Function::MPI_Ibarrier;
  }
}

std::uint64_t StartedCall::equal_arguments() const {
  return reduces(kind()) ? reduction_arguments(like_.type, like_.op) : 0;
}

LocalFacts StartedCall::facts(Wish wish) const {
  if (reduces(kind())) return facts_of_reduction(like_.type, like_.op, wish);
  return {.lossless = wish.lossless, .why = wish.no_compression};
}

LocalFacts StartedCall::key_facts() const {
  LocalFacts known = facts({.lossless = true});
  known.bytes = bytes();
  if (on_gpu_ != nullptr) {
    known.memory = Memory::device;
    known.in_parts();
  }
  return known;
}

int StartedCall::run_native() const {
  if (copied_ == nullptr) return run_on(input(), output());
  if (!copied_->load()) return copy_failed(like_.comm);
  const int error = run_on(copied_->sendbuf(), copied_->recvbuf());
  return error != MPI_SUCCESS || copied_->store() ? error : copy_failed(like_.comm);
}

int StartedCall::run_on(const void* input, void* output) const {
  const Native& mpi = native();
  MPI_Request request = MPI_REQUEST_NULL;
  switch (kind()) {
    case Kind::iallreduce:
      return wait_for(
          mpi.MPI_Iallreduce(input, output, static_cast<int>(like_.count), like_.type, like_.op, like_.comm, &request),
          request);
    case Kind::ibarrier:
      return wait_for(mpi.MPI_Ibarrier(like_.comm, &request), request);
    default:
      return start_and_wait(persistent_);
  }
}

CollectiveData StartedCall::data(const LocalFacts& facts) const {
  if (!reduces(kind())) return {.blocks = {}, .outputs = 0};
  return {.input = input(),
          .output = output(),
          .elements = static_cast<std::size_t>(like_.count) * facts.parts,
          .blocks = {}};
}

int reduce_started(Kind kind, const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (kind == Kind::iallreduce) {
    MPI_Request request = MPI_REQUEST_NULL;
    return wait_for(native().MPI_Iallreduce(input, output, count, type, op, comm, &request), request);
  }
  PersistentRequest request;
  const int error = request.initialise_allreduce(input, output, count, type, op, comm);
  return error == MPI_SUCCESS ? start_and_wait(request) : error;
}

}  // namespace airamp::pmpi
