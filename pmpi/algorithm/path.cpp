// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/path.hpp"

#include <limits>

#include "gpu/peer/collective.hpp"
#include "pmpi/group/peer_regions.hpp"
#include "pmpi/job/job.hpp"

namespace airamp::pmpi {
namespace {

// The owners' pipeline was never faster than one shot below this, on 2, 4 and 8 GPUs over NVLink.
constexpr std::uint64_t smallest_two_shot_allreduce = 32U << 10U;

// Below this, persistent allreduces were slower than blocking ones or equal, in shared memory.
constexpr std::uint64_t smallest_native_persistent = 16U << 20U;

/// Whether the site's library, if there is one, keeps our promises: of floating-point numbers its maxima and minima
/// lose a NaN. Blocks of its gathers are equal.
bool ccl_carries(Kind kind, const View& view) {
  const bool extreme = view.op == gpu::ReduceOp::max || view.op == gpu::ReduceOp::min;
  const bool real = gpu::element_type(view.type).has_value() || view.type == gpu::DataType::float64;
  return view.lossless && kind != Kind::allgatherv && !(extreme && real);
}

/// Where the application opted in to compression: elsewhere the order of native's own sums is to be kept.
bool native_persistent_carries(Kind kind, std::uint64_t most_bytes, const View& view, bool forced) {
  const bool worth_measuring = most_bytes >= smallest_native_persistent && library_frees_persistent_collectives;
  constexpr std::uint64_t most_elements = std::numeric_limits<int>::max();
  return view.lossy && kind == Kind::allreduce && (worth_measuring || forced) &&
         most_bytes / gpu::size_of(view.type) <= most_elements;
}

PathList every_path(Kind kind, std::uint64_t most_bytes, const View& view, int size, std::optional<Path> imposed) {
  PathList paths;
  if (!on_gpu(view.memory)) {
    // the lossy one last: all results of a trial go to the same scratch, and its own is the one that is compared
    const bool forced = imposed == Path::native_persistent;
    if (native_persistent_carries(kind, most_bytes, view, forced)) paths.add(Path::native_persistent);
    if (view.lossy) paths.add(Path::mpi_two_shot);
    return paths;
  }
  const bool peers = size <= gpu::most_peers;
  if (view.lossless && peers) {
    // in managed memory the first to be measured pays for the migration: one, then, not two
    const bool managed = view.memory == Memory::managed;
    const bool one_shot = kind == Kind::allreduce && most_bytes <= most_one_shot_bytes(size) &&
                          !(managed && most_bytes >= smallest_two_shot_allreduce);
    if (one_shot) paths.add(Path::peer_one_shot);
    if (!one_shot || most_bytes >= smallest_two_shot_allreduce) paths.add(Path::peer_two_shot);
  }
  if (job().settings.enable_ccl && ccl_carries(kind, view)) paths.add(Path::ccl);
  const bool two_level = kind == Kind::allreduce && view.lossless && may_be_two_level(size);
  if (two_level) paths.add(Path::two_level);
  if (view.lossy) {
    if (two_level) paths.add(Path::two_level_compressed);
    if (peers) paths.add(Path::peer_compressed);
    paths.add(Path::mpi_two_shot);
  }
  return paths;
}

}  // namespace

std::string_view to_string(Path path) noexcept {
  switch (path) {
    case Path::mpi_two_shot:
      return "mpi-two-shot";
    case Path::peer_one_shot:
      return "peer-one-shot";
    case Path::peer_two_shot:
      return "peer-two-shot";
    case Path::peer_compressed:
      return "peer-compressed";
    case Path::ccl:
      return "ccl";
    case Path::two_level:
      return "two-level";
    case Path::two_level_compressed:
      return "two-level-compressed";
    case Path::native_persistent:
      return "native-persistent";
  }
  return "";
}

bool may_be_two_level(int size) {
  for (int on_host = 2; on_host <= gpu::most_peers && 2 * on_host <= size; ++on_host) {
    if (size % on_host == 0) return true;
  }
  return false;
}

std::optional<Path> imposed_by(config::Force force) noexcept {
  switch (force) {
    case config::Force::none:
    case config::Force::native:
      return std::nullopt;
    case config::Force::mpi_two_shot:
      return Path::mpi_two_shot;
    case config::Force::peer_one_shot:
      return Path::peer_one_shot;
    case config::Force::peer_two_shot:
      return Path::peer_two_shot;
    case config::Force::peer_compressed:
      return Path::peer_compressed;
    case config::Force::ccl:
      return Path::ccl;
    case config::Force::two_level:
      return Path::two_level;
    case config::Force::two_level_compressed:
      return Path::two_level_compressed;
    case config::Force::native_persistent:
      return Path::native_persistent;
  }
  return std::nullopt;
}

PathList candidate_paths(Kind kind, std::uint64_t most_bytes, const View& view, int size, std::optional<Path> imposed) {
  const PathList paths = every_path(kind, most_bytes, view, size, imposed);
  return imposed ? paths.imposed(*imposed) : paths;
}

}  // namespace airamp::pmpi
