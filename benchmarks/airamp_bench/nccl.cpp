// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "nccl.hpp"

#include <nccl.h>

#include <cstdlib>
#include <stdexcept>

#include "cuda_runtime.hpp"

namespace airamp::benchmark {
namespace {

struct Functions {
  decltype(&::ncclGetVersion) get_version;
  decltype(&::ncclGetUniqueId) get_unique_id;
  decltype(&::ncclCommInitRank) init_rank;
  decltype(&::ncclCommDestroy) destroy;
  decltype(&::ncclAllReduce) all_reduce;
  decltype(&::ncclAllGather) all_gather;
  decltype(&::ncclReduceScatter) reduce_scatter;
  decltype(&::ncclBroadcast) broadcast;
  decltype(&::ncclGetErrorString) error_string;

  void check(ncclResult_t status, const char* what) const {
    if (status != ncclSuccess) throw std::runtime_error(std::string(what) + ": " + error_string(status));
  }
};

template <typename Function>
void look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(function_of(library, name));
}

Functions load() {
  // Multicast changes the state of the switch that other programs share; who wants it says so.
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  void* library = open_library(
      "--nccl", {"libnccl.so.2", "/usr/local/cuda/lib64/libnccl.so.2", "/usr/local/cuda/lib/libnccl.so.2"});
  Functions functions{};
  look_up(library, "ncclGetVersion", functions.get_version);
  look_up(library, "ncclGetUniqueId", functions.get_unique_id);
  look_up(library, "ncclCommInitRank", functions.init_rank);
  look_up(library, "ncclCommDestroy", functions.destroy);
  look_up(library, "ncclAllReduce", functions.all_reduce);
  look_up(library, "ncclAllGather", functions.all_gather);
  look_up(library, "ncclReduceScatter", functions.reduce_scatter);
  look_up(library, "ncclBroadcast", functions.broadcast);
  look_up(library, "ncclGetErrorString", functions.error_string);
  return functions;
}

const Functions& loaded() {
  static const Functions functions = load();
  return functions;
}

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

class OpenNccl final : public Nccl {
 public:
  explicit OpenNccl(MPI_Comm communicator) : nccl_(loaded()), cuda_(cuda_runtime()) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    ncclUniqueId id{};
    if (rank == 0) nccl_.check(nccl_.get_unique_id(&id), "ncclGetUniqueId");
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, communicator);
    nccl_.check(nccl_.init_rank(&handle_, ranks, id, rank), "ncclCommInitRank (NCCL wants a GPU for each rank)");
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
      case Collective::allgatherv:
        break;
    }
    nccl_.check(status, "a collective of NCCL");
    cuda_.check(cuda_.synchronize_stream(stream_), "cudaStreamSynchronize");
  }

  std::string version() const override {
    int version = 0;
    nccl_.get_version(&version);
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }

 private:
  const Functions& nccl_;
  const CudaRuntime& cuda_;
  ncclComm_t handle_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace

void load_nccl() { loaded(); }

std::unique_ptr<Nccl> open_nccl(MPI_Comm communicator) { return std::make_unique<OpenNccl>(communicator); }

}  // namespace airamp::benchmark
