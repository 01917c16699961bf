// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airamp_bench/host_collective.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace airamp::benchmark {
namespace {

using testing::MpiFunctions;
using Arguments = HostCollective::Arguments;

constexpr int root = 0;

struct Entry {
  std::string_view name;
  HostCollective::Function function;
  bool nonblocking = false;
  bool has_data = true;
};

constexpr std::array entries{
    Entry{"allreduce",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.allreduce(a.input, a.output, a.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          }},
    Entry{"reduce",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.reduce(a.input, a.output, a.count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
          }},
    Entry{"bcast", [](const MpiFunctions& mpi,
                      const Arguments& a) { mpi.bcast(a.output, a.count, MPI_DOUBLE, root, MPI_COMM_WORLD); }},
    Entry{"allgather",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.allgather(a.input, a.count, MPI_DOUBLE, a.output, a.count, MPI_DOUBLE, MPI_COMM_WORLD);
          }},
    Entry{"allgatherv",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.allgatherv(a.input, a.count, MPI_DOUBLE, a.output, a.counts.data(), a.places.data(), MPI_DOUBLE,
                           MPI_COMM_WORLD);
          }},
    Entry{"alltoall",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.alltoall(a.input, a.count, MPI_DOUBLE, a.output, a.count, MPI_DOUBLE, MPI_COMM_WORLD);
          }},
    Entry{"alltoallv",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.alltoallv(a.input, a.counts.data(), a.places.data(), MPI_DOUBLE, a.output, a.counts.data(),
                          a.places.data(), MPI_DOUBLE, MPI_COMM_WORLD);
          }},
    Entry{"alltoallw",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.alltoallw(a.input, a.counts.data(), a.byte_places.data(), a.types.data(), a.output, a.counts.data(),
                          a.byte_places.data(), a.types.data(), MPI_COMM_WORLD);
          }},
    Entry{"reduce_scatter_block",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.reduce_scatter_block(a.input, a.output, a.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          }},
    Entry{"reduce_scatter",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.reduce_scatter(a.input, a.output, a.counts.data(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          }},
    Entry{"gather",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.gather(a.input, a.count, MPI_DOUBLE, a.output, a.count, MPI_DOUBLE, root, MPI_COMM_WORLD);
          }},
    Entry{"gatherv",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.gatherv(a.input, a.count, MPI_DOUBLE, a.output, a.counts.data(), a.places.data(), MPI_DOUBLE, root,
                        MPI_COMM_WORLD);
          }},
    Entry{"scatter",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.scatter(a.input, a.count, MPI_DOUBLE, a.output, a.count, MPI_DOUBLE, root, MPI_COMM_WORLD);
          }},
    Entry{"scatterv",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.scatterv(a.input, a.counts.data(), a.places.data(), MPI_DOUBLE, a.output, a.count, MPI_DOUBLE, root,
                         MPI_COMM_WORLD);
          }},
    Entry{"scan",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.scan(a.input, a.output, a.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          }},
    Entry{"exscan",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.exscan(a.input, a.output, a.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          }},
    Entry{.name = "barrier",
          .function = [](const MpiFunctions& mpi, const Arguments& /*a*/) { mpi.barrier(MPI_COMM_WORLD); },
          .has_data = false},
    Entry{.name = "iallreduce",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.iallreduce(a.input, a.output, a.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, a.request);
              },
          .nonblocking = true},
    Entry{.name = "ibarrier",
          .function = [](const MpiFunctions& mpi, const Arguments& a) { mpi.ibarrier(MPI_COMM_WORLD, a.request); },
          .nonblocking = true,
          .has_data = false},
};

const Entry& entry_of(std::string_view name) {
  const auto* const entry =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  if (entry == entries.end()) throw std::invalid_argument("there is no collective " + std::string(name));
  return *entry;
}

Arguments equal_blocks(int count, int ranks) {
  Arguments arguments{.count = count,
                      .counts = std::vector<int>(ranks, count),
                      .places = {},
                      .byte_places = {},
                      .types = std::vector<MPI_Datatype>(ranks, MPI_DOUBLE),
                      .input = nullptr,
                      .output = nullptr,
                      .request = nullptr};
  for (int rank = 0; rank < ranks; ++rank) {
    arguments.places.push_back(rank * count);
    arguments.byte_places.push_back(rank * count * static_cast<int>(sizeof(double)));
  }
  return arguments;
}

}  // namespace

std::vector<std::string> HostCollective::names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

bool HostCollective::has_data(const std::string& name) { return entry_of(name).has_data; }

HostCollective::HostCollective(const std::string& name, int count, int ranks)
    : function_(entry_of(name).function),
      nonblocking_(entry_of(name).nonblocking),
      arguments_(equal_blocks(count, ranks)) {}

void HostCollective::call(const MpiFunctions& mpi, const Buffer& input, Buffer& output) {
  MPI_Request request = MPI_REQUEST_NULL;
  start(mpi, input, output, &request);
  if (nonblocking_) mpi.wait(&request, MPI_STATUS_IGNORE);
}

void HostCollective::start(const MpiFunctions& mpi, const Buffer& input, Buffer& output, MPI_Request* request) {
  arguments_.input = input.data();
  arguments_.output = output.data();
  arguments_.request = request;
  function_(mpi, arguments_);
}

}  // namespace airamp::benchmark
