// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "nccl.hpp"

#include "benchmarks/airamp_bench/values/element.hpp"
#include "cuda_runtime.hpp"
#include "nccl_library.hpp"

namespace airamp::benchmark {
namespace {

ncclDataType_t nccl_type(ElementType type) {
  switch (type) {
    case ElementType::float16:
      return ncclFloat16;
    case ElementType::bfloat16:
      return ncclBfloat16;
    case ElementType::float64:
      return ncclFloat64;
    case ElementType::int32:
      return ncclInt32;
    case ElementType::int64:
      return ncclInt64;
    case ElementType::float32:
      break;
  }
  return ncclFloat32;
}

ncclRedOp_t nccl_operation(Operation operation) {
  switch (operation) {
    case Operation::max:
      return ncclMax;
    case Operation::min:
      return ncclMin;
    case Operation::sum:
      break;
  }
  return ncclSum;
}

class OpenWindow final : public NcclWindow {
 public:
  /// allocate() and enlist() come before anything else.
  OpenWindow(const NcclLibrary& nccl, ncclComm_t communicator) : nccl_(nccl), communicator_(communicator) {}

  ~OpenWindow() override {
    if (window_ != nullptr) nccl_.deregister_window(communicator_, window_);
    if (data_ != nullptr) nccl_.release(data_);
  }

  bool allocate(std::size_t bytes) {
    bytes_ = bytes;
    return nccl_.allocate(&data_, bytes) == ncclSuccess;
  }

  /// Collective.
  bool enlist() {
    constexpr int symmetric = 1;  // NCCL_WIN_COLL_SYMMETRIC
    return nccl_.register_window(communicator_, data_, bytes_, &window_, symmetric) == ncclSuccess &&
           window_ != nullptr;
  }

  std::byte* data() const override { return static_cast<std::byte*>(data_); }

 private:
  const NcclLibrary& nccl_;
  ncclComm_t communicator_;
  std::size_t bytes_ = 0;
  void* data_ = nullptr;
  void* window_ = nullptr;
};

class OpenNccl final : public Nccl {
 public:
  explicit OpenNccl(MPI_Comm communicator) : nccl_(nccl_library()), cuda_(cuda_runtime()), communicator_(communicator) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks_);
    ncclUniqueId id{};
    if (rank == 0) nccl_.check(nccl_.get_unique_id(&id), "ncclGetUniqueId");
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, communicator);
    nccl_.check(nccl_.init_rank(&handle_, ranks_, id, rank), "ncclCommInitRank (NCCL wants a GPU for each rank)");
    cuda_.check(cuda_.create_stream(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }

  ~OpenNccl() override {
    nccl_.destroy(handle_);
    cuda_.destroy_stream(stream_);
  }

  void run(const NcclCall& call) override {
    const ncclDataType_t type = nccl_type(call.type);
    const ncclRedOp_t operation = nccl_operation(call.operation);
    ncclResult_t status = ncclInvalidUsage;
    switch (call.collective) {
      case Collective::allreduce:
        status = nccl_.all_reduce(call.send, call.receive, call.count, type, operation, handle_, stream_);
        break;
      case Collective::allgather:
        status = nccl_.all_gather(call.send, call.receive, call.count, type, handle_, stream_);
        break;
      case Collective::reduce_scatter_block:
        status = nccl_.reduce_scatter(call.send, call.receive, call.count, type, operation, handle_, stream_);
        break;
      case Collective::bcast:
        status = nccl_.broadcast(call.send, call.receive, call.count, type, 0, handle_, stream_);
        break;
      case Collective::reduce:
        status = nccl_.reduce(call.send, call.receive, call.count, type, operation, 0, handle_, stream_);
        break;
      case Collective::alltoall:
        status = exchange(call);
        break;
      case Collective::reduce_scatter:
        status = reduce_to_all(call);
        break;
      case Collective::allgatherv:
      case Collective::scan:
      case Collective::gather:
      case Collective::scatter:
      case Collective::barrier:
        break;
    }
    nccl_.check(status, "a collective of NCCL");
    cuda_.check(cuda_.synchronize_stream(stream_), "cudaStreamSynchronize");
  }

  std::unique_ptr<NcclWindow> open_window(std::size_t bytes) override {
    if (!all_ranks(nccl_.has_windows())) return nullptr;
    auto window = std::make_unique<OpenWindow>(nccl_, handle_);
    if (!all_ranks(window->allocate(bytes)) || !all_ranks(window->enlist())) return nullptr;
    return window;
  }

  std::string version() const override {
    int version = 0;
    nccl_.get_version(&version);
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }

 private:
  /// An alltoall of grouped messages.
  ncclResult_t exchange(const NcclCall& call) const {
    const ncclDataType_t type = nccl_type(call.type);
    const std::size_t bytes = call.count * Element::bytes_of(call.type);
    ncclResult_t status = nccl_.start_group();
    for (int i = 0; i < ranks_ && status == ncclSuccess; ++i) {
      const std::size_t offset = static_cast<std::size_t>(i) * bytes;
      status = nccl_.send(static_cast<const std::byte*>(call.send) + offset, call.count, type, i, handle_, stream_);
      if (status == ncclSuccess)
        status = nccl_.receive(static_cast<std::byte*>(call.receive) + offset, call.count, type, i, handle_, stream_);
    }
    const ncclResult_t end = nccl_.end_group();
    return status == ncclSuccess ? end : status;
  }

  /// A reduce_scatter of grouped reductions, one to each rank.
  ncclResult_t reduce_to_all(const NcclCall& call) const {
    const auto* send = static_cast<const std::byte*>(call.send);
    ncclResult_t status = nccl_.start_group();
    for (int i = 0; i < ranks_ && status == ncclSuccess; ++i) {
      const auto count = static_cast<std::size_t>(call.counts[static_cast<std::size_t>(i)]);
      status = nccl_.reduce(send, call.receive, count, nccl_type(call.type), nccl_operation(call.operation), i, handle_,
                            stream_);
      send += count * Element::bytes_of(call.type);
    }
    const ncclResult_t end = nccl_.end_group();
    return status == ncclSuccess ? end : status;
  }

  bool all_ranks(bool mine) const {
    int all = mine ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, communicator_);
    return all != 0;
  }

  const NcclLibrary& nccl_;
  const CudaRuntime& cuda_;
  MPI_Comm communicator_;
  int ranks_ = 0;
  ncclComm_t handle_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace

void load_nccl() { nccl_library(); }

std::unique_ptr<Nccl> open_nccl(MPI_Comm communicator) { return std::make_unique<OpenNccl>(communicator); }

}  // namespace airamp::benchmark
