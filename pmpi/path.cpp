// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/path.hpp"

#include "pmpi/job.hpp"
#include "pmpi/peer_regions.hpp"

namespace airamp::pmpi {
namespace {

// The owners' pipeline was never faster than one shot below this, on 2, 4 and 8 GPUs over NVLink.
constexpr std::uint64_t smallest_two_shot_allreduce = 32U << 10U;

PathList every_path(Kind kind, std::uint64_t most_bytes, const View& view, int size) {
  PathList paths;
  if (view.memory != Memory::device) {
    if (view.lossy) paths.add(Path::mpi_two_shot);
    return paths;
  }
  if (view.lossless) {
    const bool one_shot = kind == Kind::allreduce && most_bytes <= most_one_shot_bytes(size);
    if (one_shot) paths.add(Path::peer_one_shot);
    if (!one_shot || most_bytes >= smallest_two_shot_allreduce) paths.add(Path::peer_two_shot);
  }
  if (view.lossy) paths.add(Path::peer_compressed);
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
  }
  return "";
}

std::optional<Path> forced_path() noexcept {
  switch (job().settings.force) {
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
  }
  return std::nullopt;
}

PathList candidate_paths(Kind kind, std::uint64_t most_bytes, const View& view, int size) {
  const PathList paths = every_path(kind, most_bytes, view, size);
  const std::optional<Path> forced = forced_path();
  if (!forced) return paths;
  PathList imposed;
  for (Path path : paths) {
    if (path == *forced) imposed.add(path);
  }
  return imposed;
}

}  // namespace airamp::pmpi
