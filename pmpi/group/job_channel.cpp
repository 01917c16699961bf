// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/job_channel.hpp"

#include <array>
#include <new>
#include <numeric>
#include <utility>

#include "pmpi/job/job.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/mpi/world_ranks.hpp"

namespace airamp::pmpi {
namespace {

constinit ProcessWide<JobChannel> channel;

}  // namespace

int JobChannel::open() {
  if (const int error = native().Comm_dup(MPI_COMM_WORLD, &comm_); error != MPI_SUCCESS) return error;
  int* largest_tag = nullptr;
  int found = 0;
  const int error = native().Comm_get_attr(comm_, MPI_TAG_UB, &largest_tag, &found);
  constexpr int guaranteed = 32767;
  const int largest = error == MPI_SUCCESS && found != 0 ? *largest_tag : guaranteed;
  blocks_of_tags_ = (static_cast<std::uint64_t>(largest) + 1) / tags_of_algorithm;
  int rank = 0;
  if (const int no_rank = native().Comm_rank(comm_, &rank); no_rank != MPI_SUCCESS) return no_rank;
  blocks_.seed(static_cast<unsigned>(rank) + 1);
  return native().Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

void JobChannel::close() {
  if (comm_ != MPI_COMM_NULL) native().MPI_Comm_free(&comm_);
}

int JobChannel::ranks_on_host() const {
  MPI_Comm host = MPI_COMM_NULL;
  int ranks = 0;
  if (native().Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host) != MPI_SUCCESS) return 0;
  if (native().Comm_size(host, &ranks) != MPI_SUCCESS) ranks = 0;
  native().MPI_Comm_free(&host);
  return ranks;
}

int JobChannel::gather(const void* own, int bytes, void* all) const {
  return native().MPI_Gather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, comm_);
}

Result<std::optional<int>> JobChannel::agree_on_tag(MPI_Comm comm) {
  constexpr int max_attempts = 64;  // threads that agree at the same time may keep each other from it a few times
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    const bool once_only = job().several_threads || job().settings.pola_post_receives;
    const TagBlocks::Proposal own = blocks_.propose();
    std::array<std::uint64_t, 3> greatest = {own.number, own.lot, once_only ? 1U : 0U};
    if (const int error =
            native().MPI_Allreduce(MPI_IN_PLACE, greatest.data(), greatest.size(), MPI_UINT64_T, MPI_MAX, comm);
        error != MPI_SUCCESS) {
      return MpiError{error};
    }
    const auto [next, lot, on_any] = greatest;
    const std::uint64_t number = TagBlocks::number_of({.number = next, .lot = lot}, attempt);
    bool claimed = blocks_.claim(number);
    if (on_any != 0) {
      if (number >= blocks_of_tags_) return std::optional<int>();
      const Result<bool> by_all = agree_on_success(comm, claimed);
      if (!by_all.ok()) return MpiError{by_all.error()};
      claimed = *by_all;
    }
    if (claimed) {
      // Where one thread at a time calls MPI, messages of the same tag from one rank to another are taken in the order
      // in which they were sent, so that tags may come round again. A receive that is posted ahead of its message would
      // take that of another plan.
      return std::optional(static_cast<int>(number % blocks_of_tags_) * tags_of_algorithm);
    }
  }
  return std::optional<int>();
}

MessageRoute JobChannel::route(MPI_Comm comm, int tag) const {
  Group group;
  if (native().Comm_group(comm, &group.handle) != MPI_SUCCESS) throw std::bad_alloc();
  std::vector<int> members(static_cast<std::size_t>(size_of(group.handle)));
  std::iota(members.begin(), members.end(), 0);
  std::vector<int> ranks = world_ranks(group.handle, members);
  if (ranks.empty()) throw std::bad_alloc();
  return {.comm = comm_, .ranks = std::move(ranks), .tag = tag};
}

JobChannel& job_channel() { return *channel; }

}  // namespace airamp::pmpi
