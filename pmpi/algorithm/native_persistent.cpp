// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/native_persistent.hpp"

#include "pmpi/algorithm/registry.hpp"
#include "pmpi/device/measuring_scratch.hpp"
#include "pmpi/mpi/agree.hpp"

namespace airamp::pmpi {
namespace {

// What the request of an MPI library may hold, in copies of the message.
constexpr std::size_t scratch_copies = 2;

MPI_Op predefined(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return MPI_SUM;
    case ReduceOp::max:
      return MPI_MAX;
    case ReduceOp::min:
      return MPI_MIN;
    case ReduceOp::prod:
      return MPI_PROD;
    default:
      return MPI_OP_NULL;  // not of what is compressed
  }
}

/// True where there is no error: the call is done.
Result<bool> run(PersistentRequest& request) {
  if (const int error = request.start(); error != MPI_SUCCESS) return MpiError{error};
  if (const int error = request.wait(); error != MPI_SUCCESS) return MpiError{error};
  return true;
}

}  // namespace

NativePersistent::NativePersistent(MPI_Comm comm, DataType type, ReduceOp op)
    : comm_(comm), element_size_(size_of(type)) {
  if (type == DataType::float32) {
    type_ = MPI_FLOAT;
    op_ = predefined(op);
  } else if (half_operation_.create(type, op) == MPI_SUCCESS) {
    type_ = MPI_UINT16_T;
    op_ = half_operation_.get();
  }
}

// To make a request needs all ranks, so those that lack memory for it speak first.
Result<bool> NativePersistent::make(PersistentRequest& request, const CollectiveData& data) {
  const bool affordable = MeasuringScratch::affordable(scratch_copies * data.elements * element_size_);
  const Result<bool> all_afford_it = agree_on_success(comm_, affordable);
  if (!all_afford_it.ok() || !*all_afford_it) return all_afford_it;
  const int error =
      request.initialise_allreduce(data.input, data.output, static_cast<int>(data.elements), type_, op_, comm_);
  return agree_on_success(comm_, error == MPI_SUCCESS);
}

int NativePersistent::execute(const CollectiveData& /*data*/) { return run(trial_).error(); }

bool NativePersistent::recurs(const CollectiveData& data) const {
  return binding_.bound() && data.input == bound_.input && data.output == bound_.output &&
         data.elements == bound_.elements;
}

Result<bool> NativePersistent::execute_agreed(const CollectiveData& data, bool recurs) {
  switch (binding_.next(recurs)) {
    case BufferBinding::Step::bind:
      return bind_and_run(data);
    case BufferBinding::Step::run:
      return run(request_);
    case BufferBinding::Step::native:
      break;
    case BufferBinding::Step::give_up:
      why_given_up_ = "the application's buffers change too often for persistent requests";
      break;
  }
  return false;
}

Result<bool> NativePersistent::bind_and_run(const CollectiveData& data) {
  const Result<bool> made = make(request_, data);
  if (!made.ok()) return made;
  if (!*made) {
    why_given_up_ = "some rank had no memory for a persistent request";
    return false;
  }
  bound_ = data;
  return run(request_);
}

// The first run of a request finds its scratch without pages, later ones do not: those are what is to be measured.
Result<bool> NativePersistent::prepare_trial(const CollectiveData& data) {
  const Result<bool> made = make(trial_, data);
  if (!made.ok()) return made;
  if (*made) return run(trial_);
  trial_.free();
  return false;
}

namespace {

// Below this, persistent allreduces were slower than blocking ones or equal, in shared memory.
constexpr std::uint64_t smallest_measured = 16U << 20U;

/// Where the application opted in to compression: elsewhere the order of native's own sums is to be kept.
bool carries(const AgreedFacts& facts) {
  const bool worth_measuring = facts.max_bytes >= smallest_measured && library_frees_persistent_collectives;
  constexpr std::uint64_t max_elements = std::numeric_limits<int>::max();
  return !on_gpu(facts.local.memory) && facts.local.lossy && facts.kind == Kind::allreduce &&
         (worth_measuring || facts.imposed) && facts.max_bytes / size_of(facts.local.type) <= max_elements;
}

Acquired acquire(const Acquisition& acquisition) {
  if (const int error = create_private_communicator(acquisition); error != MPI_SUCCESS) return {.error = error};
  std::unique_ptr<Algorithm> algorithm;
  if (PersistentRequest::offers_allreduce()) {
    std::unique_ptr<NativePersistent> own(new (std::nothrow) NativePersistent(
        acquisition.resources.private_communicator.get(), acquisition.facts.type, acquisition.facts.op));
    if (own != nullptr && own->ready()) algorithm = std::move(own);
  }
  const Result<bool> on_all = agree_on_success(acquisition.comm, algorithm != nullptr);
  if (!on_all.ok()) return {.error = on_all.error()};
  if (*on_all) return {.algorithm = std::move(algorithm)};
  return {.why_not = "the MPI library has no persistent MPI_Allreduce"};
}

}  // namespace

extern constexpr AlgorithmEntry native_persistent_entry{.order = 10, .carries = carries, .acquire = acquire};

}  // namespace airamp::pmpi
