// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/levels/grid_place.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "pmpi/job/host_identity.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

Result<std::string> find_grid_place(MPI_Comm comm, int rank, int size, int most_ranks_on_host, GridPlace& place) {
  const std::uint64_t own = host_identity();
  std::vector<std::uint64_t> identities(static_cast<std::size_t>(size));
  place.host_of.resize(identities.size());
  const int error = native().MPI_Allgather(&own, 1, MPI_UINT64_T, identities.data(), 1, MPI_UINT64_T, comm);
  if (error != MPI_SUCCESS) return MpiError{error};
  std::vector<std::uint64_t> hosts;
  for (std::size_t i = 0; i < identities.size(); ++i) {
    const auto found = std::find(hosts.begin(), hosts.end(), identities[i]);
    place.host_of[i] = static_cast<int>(found - hosts.begin());
    if (found != hosts.end()) continue;
    hosts.push_back(identities[i]);
    place.first_of.push_back(static_cast<int>(i));
  }
  place.hosts = static_cast<int>(hosts.size());
  place.host = place.host_of[static_cast<std::size_t>(rank)];
  const auto ranks_of = [&](int host) { return std::count(place.host_of.begin(), place.host_of.end(), host); };
  place.ranks_on_host = static_cast<int>(ranks_of(place.host));
  place.rank_on_host = static_cast<int>(std::count(place.host_of.begin(), place.host_of.begin() + rank, place.host));
  const auto ranks_of_first = ranks_of(0);
  bool even = true;
  for (int host = 1; host < place.hosts; ++host) even = even && ranks_of(host) == ranks_of_first;
  if (place.hosts < 2) return std::string("its ranks are on one host");
  if (!even) return std::string("its hosts have different numbers of its ranks");
  if (place.ranks_on_host < 2) return std::string("it has one rank on each host");
  if (place.ranks_on_host > most_ranks_on_host) return std::string("it has too many ranks on each host");
  std::vector<int> before(hosts.size(), 0);
  place.rail.resize(hosts.size());
  for (std::size_t i = 0; i < identities.size(); ++i) {
    const auto host = static_cast<std::size_t>(place.host_of[i]);
    if (before[host]++ == place.rank_on_host) place.rail[host] = static_cast<int>(i);
  }
  return std::string();
}

}  // namespace airamp::pmpi
