// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "config/settings.hpp"
#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// The ways of AIRamp's own that a collective can take.
enum class Path : std::uint8_t {
  mpi_two_shot,     ///< compressed, over MPI
  peer_one_shot,    ///< GPU buffers, lossless over peer memory: everything to everybody
  peer_two_shot,    ///< GPU buffers, lossless over peer memory: through owners
  peer_compressed,  ///< GPU buffers, compressed over peer memory: through owners
  ccl,              ///< GPU buffers, lossless: by the site's collective communication library
  two_level,        ///< GPU buffers on several hosts, lossless: over peer memory inside each, over MPI between them
  two_level_compressed,  ///< the same, compressed between the hosts
  native_persistent      ///< host buffers that recur: the MPI library's own persistent collective
};
inline constexpr std::size_t path_count = 8;

/// The name of a path in settings and reports.
std::string_view to_string(Path path) noexcept;

/// Whether a path goes over peer memory alone.
constexpr bool over_peer_memory(Path path) {
  return path == Path::peer_one_shot || path == Path::peer_two_shot || path == Path::peer_compressed;
}

/// Whether a path is for ranks on several hosts, over peer memory inside each.
constexpr bool is_two_level(Path path) { return path == Path::two_level || path == Path::two_level_compressed; }

/// Whether results of a path may differ from the exact ones by more than the element type's rounding.
constexpr bool is_lossy(Path path) {
  return path == Path::mpi_two_shot || path == Path::peer_compressed || path == Path::two_level_compressed;
}

/// Whether the MPI library gives back the memory of a persistent collective with its request. Open MPI does not: 4.1.4
/// and 5.0.11 lose up to the size of the message with every freed MPI_Allreduce_init, on three and four ranks.
#ifdef OPEN_MPI
inline constexpr bool library_frees_persistent_collectives = false;
#else
inline constexpr bool library_frees_persistent_collectives = true;
#endif

/// Whether so many ranks can be several on each of several hosts, as many on each, with a place in a peer group.
bool may_be_two_level(int size);

/// The path that a value of AIRAMP_FORCE imposes, if it imposes one.
std::optional<Path> imposed_by(config::Force force) noexcept;

/// Paths, in the order in which they are measured.
class PathList {
 public:
  void add(Path path) { paths_[count_++] = path; }
  std::size_t size() const { return count_; }

  /// The one of them, or none, that the user imposes; nothing is left to be measured.
  PathList imposed(Path path) const {
    PathList list;
    list.imposed_ = true;
    for (const Path known : *this) {
      if (known == path) list.add(path);
    }
    return list;
  }
  bool is_imposed() const { return imposed_; }

  Path operator[](std::size_t index) const { return paths_[index]; }
  const Path* begin() const { return paths_.data(); }
  const Path* end() const { return paths_.data() + count_; }

 private:
  std::array<Path, path_count> paths_{};
  std::size_t count_ = 0;
  bool imposed_ = false;
};

/// The paths that the calls of a signature can take, of at most `most_bytes` bytes each; a function of agreed facts
/// alone. At most the imposed one, if one is.
PathList candidate_paths(Kind kind, std::uint64_t most_bytes, const View& view, int size, std::optional<Path> imposed);

}  // namespace airamp::pmpi
