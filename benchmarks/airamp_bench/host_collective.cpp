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
  bool moves = false;
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
    Entry{.name = "bcast",
          .function = [](const MpiFunctions& mpi,
                         const Arguments& a) { mpi.bcast(a.output, a.count, a.type, root, MPI_COMM_WORLD); },
          .moves = true},
    Entry{.name = "allgather",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.allgather(a.input, a.count, a.type, a.output, a.count, a.type, MPI_COMM_WORLD);
              },
          .moves = true},
    Entry{.name = "allgatherv",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.allgatherv(a.input, a.count, a.type, a.output, a.counts.data(), a.places.data(), a.type,
                               MPI_COMM_WORLD);
              },
          .moves = true},
    Entry{.name = "alltoall",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.alltoall(a.input, a.count, a.type, a.output, a.count, a.type, MPI_COMM_WORLD);
              },
          .moves = true},
    Entry{.name = "alltoallv",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.alltoallv(a.input, a.counts.data(), a.places.data(), a.type, a.output, a.counts.data(),
                              a.places.data(), a.type, MPI_COMM_WORLD);
              },
          .moves = true},
    Entry{.name = "alltoallw",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.alltoallw(a.input, a.counts.data(), a.byte_places.data(), a.types.data(), a.output, a.counts.data(),
                              a.byte_places.data(), a.types.data(), MPI_COMM_WORLD);
              },
          .moves = true},
    Entry{"reduce_scatter_block",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.reduce_scatter_block(a.input, a.output, a.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          }},
    Entry{"reduce_scatter",
          [](const MpiFunctions& mpi, const Arguments& a) {
            mpi.reduce_scatter(a.input, a.output, a.counts.data(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          }},
    Entry{.name = "gather",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.gather(a.input, a.count, a.type, a.output, a.count, a.type, root, MPI_COMM_WORLD);
              },
          .moves = true},
    Entry{.name = "gatherv",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.gatherv(a.input, a.count, a.type, a.output, a.counts.data(), a.places.data(), a.type, root,
                            MPI_COMM_WORLD);
              },
          .moves = true},
    Entry{.name = "scatter",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.scatter(a.input, a.count, a.type, a.output, a.count, a.type, root, MPI_COMM_WORLD);
              },
          .moves = true},
    Entry{.name = "scatterv",
          .function =
              [](const MpiFunctions& mpi, const Arguments& a) {
                mpi.scatterv(a.input, a.counts.data(), a.places.data(), a.type, a.output, a.count, a.type, root,
                             MPI_COMM_WORLD);
              },
          .moves = true},
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

Arguments equal_blocks(int count, int ranks, const Numbers& numbers) {
  Arguments arguments{.count = count,
                      .type = numbers.type(),
                      .counts = std::vector<int>(ranks, count),
                      .places = {},
                      .byte_places = {},
                      .types = std::vector<MPI_Datatype>(ranks, numbers.type()),
                      .input = nullptr,
                      .output = nullptr,
                      .request = nullptr};
  for (int rank = 0; rank < ranks; ++rank) {
    arguments.places.push_back(rank * count);
    arguments.byte_places.push_back(rank * count * numbers.extent() * static_cast<int>(sizeof(double)));
  }
  return arguments;
}

}  // namespace

Numbers::Numbers(bool with_holes) {
  if (!with_holes) return;
  extent_ = 2;
  MPI_Type_create_resized(MPI_DOUBLE, 0, extent_ * static_cast<MPI_Aint>(sizeof(double)), &type_);
  MPI_Type_commit(&type_);
}

Numbers::~Numbers() {
  if (type_ != MPI_DOUBLE) MPI_Type_free(&type_);
}

std::vector<std::string> HostCollective::names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

bool HostCollective::has_data(const std::string& name) { return entry_of(name).has_data; }

bool HostCollective::moves(const std::string& name) { return entry_of(name).moves; }

HostCollective::HostCollective(const std::string& name, int count, int ranks, const Numbers& numbers)
    : function_(entry_of(name).function),
      nonblocking_(entry_of(name).nonblocking),
      arguments_(equal_blocks(count, ranks, numbers)) {}

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
