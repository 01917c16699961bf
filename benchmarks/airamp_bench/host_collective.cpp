// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airamp_bench/host_collective.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

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

using Entry = std::pair<std::string, HostCollective (*)(int count)>;

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {"allreduce",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
           mpi.allreduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
         });
       }},
      {"reduce",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
           mpi.reduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
         });
       }},
      {"bcast",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& /*input*/, Buffer& output) {
           mpi.bcast(output.data(), count, MPI_DOUBLE, root, MPI_COMM_WORLD);
         });
       }},
      {"allgather",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
           mpi.allgather(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
         });
       }},
      {"alltoall",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
           mpi.alltoall(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
         });
       }},
      {"alltoallv",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
           const std::vector<int> counts(input.size() / static_cast<std::size_t>(std::max(count, 1)), count);
           std::vector<int> places(counts.size());
           std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
           mpi.alltoallv(input.data(), counts.data(), places.data(), MPI_DOUBLE, output.data(), counts.data(),
                         places.data(), MPI_DOUBLE, MPI_COMM_WORLD);
         });
       }},
      {"reduce_scatter_block",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
           mpi.reduce_scatter_block(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
         });
       }},
      {"gather",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
           mpi.gather(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, root, MPI_COMM_WORLD);
         });
       }},
      {"scatter",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
           mpi.scatter(input.data(), count, MPI_DOUBLE, output.data(), count, MPI_DOUBLE, root, MPI_COMM_WORLD);
         });
       }},
      {"scan",
       [](int count) {
         return blocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output) {
           mpi.scan(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
         });
       }},
      {"barrier",
       [](int /*count*/) {
         return blocking(
             [=](const MpiFunctions& mpi, Buffer& /*input*/, Buffer& /*output*/) { mpi.barrier(MPI_COMM_WORLD); });
       }},
      {"iallreduce",
       [](int count) {
         return nonblocking([=](const MpiFunctions& mpi, Buffer& input, Buffer& output, MPI_Request* request) {
           mpi.iallreduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request);
         });
       }},
      {"ibarrier",
       [](int /*count*/) {
         return nonblocking([=](const MpiFunctions& mpi, Buffer& /*input*/, Buffer& /*output*/, MPI_Request* request) {
           mpi.ibarrier(MPI_COMM_WORLD, request);
         });
       }},
  };
  return all;
}

}  // namespace

const std::vector<std::string>& host_collective_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const auto& [name, make] : entries()) made.push_back(name);
    return made;
  }();
  return names;
}

bool has_data(const std::string& name) { return name != "barrier" && name != "ibarrier"; }

HostCollective host_collective(const std::string& name, int count) {
  const auto named = [&](const Entry& entry) { return entry.first == name; };
  const auto entry = std::find_if(entries().begin(), entries().end(), named);
  if (entry == entries().end()) throw std::invalid_argument("there is no collective " + name);
  return entry->second(count);
}

}  // namespace airamp::benchmark
