// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"
#include "pmpi/mpi/tag_blocks.hpp"

namespace airamp::pmpi {

/// The way of an algorithm's messages among the ranks of a communicator.
struct MessageRoute {
  MPI_Comm comm;
  std::vector<int> ranks;  ///< those that the communicator's ranks have in `comm`
  int tag;                 ///< the first of JobChannel::tags_of_algorithm
};

/// The messages of algorithms, on whatever communicators of the application's, travel on one duplicate of
/// MPI_COMM_WORLD, where they never meet the application's. It is made in MPI_Init. To make communicators later would
/// take some from the application, which has but 2048 in some libraries, and would wait for what the application has
/// started in others (a pending MPI_Comm_idup in Open MPI).
class JobChannel {
 public:
  /// So many tags as one algorithm may use.
  static constexpr int tags_of_algorithm = 3;

  /// Collective over MPI_COMM_WORLD, in MPI_Init and MPI_Finalize. An MPI error code.
  int open();
  void close();

  /// Ranks of the job that share this rank's host, this one included. Collective over MPI_COMM_WORLD. 0 if MPI fails.
  int ranks_on_host() const;

  /// So many bytes of every rank, one rank's behind the other's, at the first one, where `all` has room for them.
  /// Collective over MPI_COMM_WORLD. An MPI error code.
  int gather(const void* own, int bytes, void* all) const;

  /// Collective over `comm`, within a call of the application's on it: the first of `tags_of_algorithm` tags that no
  /// two of its ranks have in common elsewhere. Empty if there are none left.
  Result<std::optional<int>> agree_on_tag(MPI_Comm comm);

  /// Among the ranks of `comm`. Local. Throws std::bad_alloc.
  MessageRoute route(MPI_Comm comm, int tag) const;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::uint64_t blocks_of_tags_ = 0;
  TagBlocks blocks_;
};

/// The process's only one.
JobChannel& job_channel();

}  // namespace airamp::pmpi
