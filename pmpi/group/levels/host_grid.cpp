// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/levels/host_grid.hpp"

#include <utility>

#include "pmpi/job/job.hpp"

namespace airamp::pmpi {

bool may_use_host_grid(CollectiveKind kind, std::uint64_t bytes, int size) {
  constexpr std::uint64_t shortest = 2048;
  const int on_host = job().max_ranks_on_host;
  return kind == CollectiveKind::allreduce && bytes >= shortest && on_host >= 2 && size > on_host;
}

Result<Made<std::unique_ptr<HostGrid>>> HostGrid::create(MPI_Comm comm, int rank, int size,
                                                         const gpu::Location& /*location*/) {
  using MadeGrid = Made<std::unique_ptr<HostGrid>>;
  std::unique_ptr<HostGrid> made(new HostGrid);
  GridPlace& place = made->place_;
  const Result<std::string> why_not = find_grid_place(comm, rank, size, HostMeeting::max_ranks, place);
  if (!why_not.ok()) return MpiError{why_not.error()};
  if (!why_not->empty()) return MadeGrid::not_made(*why_not);
  const int maker = place.first_of[static_cast<std::size_t>(place.host)];
  const Sharers sharers{.comm = comm, .rank = rank, .maker = maker, .makers = place.first_of};
  Result<Made<std::unique_ptr<HostGroup>>> host =
      HostGroup::create(sharers, place.rank_on_host, place.ranks_on_host);
  if (!host.ok()) return MpiError{host.error()};
  if (host->made == nullptr) return MadeGrid::not_made("some host has no shared memory for it");
  made->host_ = std::move(host->made);
  const Result<bool> wide = made->host_->widen(sharers);
  if (!wide.ok()) return MpiError{wide.error()};
  if (!*wide) return MadeGrid::not_made("some host has no shared memory for calls of this length");
  return MadeGrid{.made = std::move(made), .why_not = {}};
}

}  // namespace airamp::pmpi
