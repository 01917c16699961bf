// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airamp_bench/host_collective.hpp"

#include <stdexcept>

namespace airamp::benchmark {
namespace {

using testing::MpiFunctions;
using Buffer = HostCollective::Buffer;

constexpr int root = 0;

HostCollective nonblocking(const HostCollective::Start& start) {
  const auto call = [start](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
    MPI_Request request = MPI_REQUEST_NULL;
    start(mpi, input, output, &request);
    mpi.wait(&request, MPI_STATUS_IGNORE);
  };
  return {.call = call, .start = start};
}

HostCollective blocking(const HostCollective::Call& call) { return {.call = call, .start = {}}; }

}  // namespace

const std::vector<std::string>& host_collective_names() {
  static const std::vector<std::string> names{
      "allreduce", "reduce",  "bcast", "allgather", "alltoall",   "reduce_scatter_block",
      "gather",    "scatter", "scan",  "barrier",   "iallreduce", "ibarrier"};
  return names;
}

bool has_data(const std::string& name) { return name != "barrier" && name != "ibarrier"; }

HostCollective host_collective(const std::string& name, int count) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  if (name == "allreduce") {
    return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.allreduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, comm);
    });
  }
  if (name == "reduce") {
    return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.reduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, root, comm);
    });
  }
  if (name == "bcast") {
    return blocking([=](const MpiFunctions& mpi, Buffer& /*input*/, Buffer& output) {
      mpi.bcast(output.data(), count, MPI_DOUBLE, root, comm);
    });
  }
  if (name == "allgather") {
    return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.allgather(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, comm);
    });
  }
  if (name == "alltoall") {
    return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.alltoall(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, comm);
    });
  }
  if (name == "reduce_scatter_block") {
    return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.reduce_scatter_block(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, comm);
    });
  }
  if (name == "gather") {
    return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.gather(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, root, comm);
    });
  }
  if (name == "scatter") {
    return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.scatter(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, root, comm);
    });
  }
  if (name == "scan") {
    return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
      mpi.scan(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, comm);
    });
  }
  if (name == "barrier") {
    return blocking([=](const MpiFunctions& mpi, Buffer& /*input*/, Buffer& /*output*/) { mpi.barrier(comm); });
  }
  if (name == "iallreduce") {
    return nonblocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output, MPI_Request* request) {
      mpi.iallreduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, comm, request);
    });
  }
  if (name == "ibarrier") {
    return nonblocking([=](const MpiFunctions& mpi, Buffer& /*input*/, Buffer& /*output*/, MPI_Request* request) {
      mpi.ibarrier(comm, request);
    });
  }
  throw std::invalid_argument("there is no collective " + name);
}

}  // namespace airamp::benchmark
