// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// contribution_ring CALLS: every root finds exactly what each of the others has left for it in that call, however late
// it comes; who finds no room says so, and its contribution comes as a message; nobody waits who was not told to.
#include "pmpi/group/host/contribution_ring.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "mpitests/laws/late_ranks.hpp"
#include "pmpi/group/memory/shared_segment.hpp"

namespace airamp::laws {
namespace {

using differential::mix;
using differential::Random;
using pmpi::ContributionRing;
using pmpi::HostMeeting;
using pmpi::SharedSegment;
using Where = ContributionRing::Where;

/// A ring in memory of its own.
class Ring {
 public:
  Ring(HostMeeting& meeting, const Ranks& ranks) : meeting_(meeting), ranks_(ranks) {
    const pmpi::Result<bool> opened =
        memory_.open({MPI_COMM_WORLD, ranks.own}, ContributionRing::shared_bytes(ranks.all), [] { return true; });
    demand(opened.ok() && *opened, "opening", 0);
    ring_.emplace(memory_.data(), meeting, ranks.own, ranks.all);
  }

  /// Call `k`. Whether this rank left its contribution in the ring, or found all of them there.
  bool contribute(int root, std::uint64_t k, double patience_seconds) {
    ring_->next(root);
    return root == ranks_.own ? take(k) : leave(root, k, patience_seconds);
  }

  /// A call of which this rank leaves nothing here.
  void pass_by() { ring_->pass_by(); }

  /// How `rank` does the call that this rank is about to pass by, once it does.
  Where look_ahead(int rank, std::uint64_t k) {
    Where where = Where::nowhere_yet;
    const auto has_come = [&] { return (where = ring_->look_ahead(rank)) != Where::nowhere_yet; };
    demand(meeting_.wait_until(rank, has_come), "no failure", k);
    return where;
  }

  /// The root's part of a call by which `rank` passes, up to what it makes of that.
  void miss(int rank, std::uint64_t k) {
    Where where = Where::nowhere_yet;
    const auto has_come = [&] { return (where = ring_->look(rank)) != Where::nowhere_yet; };
    demand(meeting_.wait_until(rank, has_come) && where == Where::passed, "a rank has passed by", k);
  }
  void next() { ring_->next(ranks_.own); }
  void done() { ring_->done(); }
  void take_back() { ring_->take_back(); }

  std::size_t bytes_from(int rank) const { return ring_->bytes_from(rank); }
  static std::size_t bytes_of(std::uint64_t k) { return contribution(0, k).size(); }

 private:
  /// What rank `rank` gives to call `k`: all ranks know.
  static std::vector<std::byte> contribution(int rank, std::uint64_t k) {
    const std::uint64_t seed = mix(k * 64 + static_cast<std::uint64_t>(rank));
    std::vector<std::byte> bytes(mix(k) % 4 != 0 ? 8 : mix(k + 1) % (ContributionRing::max_bytes + 1));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(seed >> (i % 8 * 8));
    return bytes;
  }

  bool leave(int root, std::uint64_t k, double patience_seconds) {
    const std::vector<std::byte> own = contribution(ranks_.own, k);
    if (ring_->has_room() || ring_->wait_for_room(patience_seconds)) {
      std::copy(own.begin(), own.end(), ring_->own());
      ring_->leave(own.size());
      return true;
    }
    ring_->leave_elsewhere(own.size());
    MPI_Send(own.data(), static_cast<int>(own.size()), MPI_BYTE, root, 1, MPI_COMM_WORLD);
    return false;
  }

  bool take(std::uint64_t k) {
    if (ring_->has_room()) std::memset(ring_->own(), 0, ContributionRing::max_bytes);  // nobody reads there any more
    bool all_here = true;
    for (int rank = 0; rank < ranks_.all; ++rank) {
      if (rank == ranks_.own) continue;
      const std::vector<std::byte> expected = contribution(rank, k);
      const auto has_come = [&] { return ring_->look(rank) != Where::nowhere_yet; };
      demand(meeting_.wait_until(rank, has_come), "no failure", k);
      std::vector<std::byte> got(expected.size());
      if (ring_->look(rank) == Where::here) {
        std::copy_n(ring_->contribution(rank), got.size(), got.begin());
      } else {
        all_here = false;
        MPI_Recv(got.data(), static_cast<int>(got.size()), MPI_BYTE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      demand(got == expected, "what a rank has left for this call", k);
    }
    ring_->done();
    return all_here;
  }

  HostMeeting& meeting_;
  Ranks ranks_;
  SharedSegment memory_;
  std::optional<ContributionRing> ring_;
};

/// For one rank, and for all in turns.
void leave_often(HostMeeting& meeting, const Ranks& ranks, std::uint64_t calls) {
  Random random(static_cast<std::uint64_t>(ranks.own) + 3);
  Random alike(11);
  Ring ring(meeting, ranks);
  for (std::uint64_t k = 1; k <= calls; ++k) {
    const int root = static_cast<int>((alike.chance(0.1) ? alike.bits() : k / 1000) % static_cast<unsigned>(ranks.all));
    dawdle(random);
    for (; alike.chance(0.3); ring.pass_by()) {
      const int other = (root + 1) % ranks.all;
      if (ranks.own == root && random.chance(0.5))
        demand(ring.look_ahead(other, k) == Where::passed, "a call by which all pass", k);
    }
    ring.contribute(root, k, random.chance(0.5) ? 0 : 1e-4);
    if (alike.chance(0.01)) meeting.meet(0);
  }
}

/// Rank 0 comes when the others have made all their calls.
void root_comes_last(HostMeeting& meeting, const Ranks& ranks) {
  constexpr std::uint64_t calls = 200;
  Ring ring(meeting, ranks);
  if (ranks.own == 0) MPI_Barrier(MPI_COMM_WORLD);
  std::uint64_t in_ring = 0;
  for (std::uint64_t k = 1; k <= calls; ++k) in_ring += ring.contribute(0, k, 0) ? 1 : 0;
  if (ranks.own != 0) MPI_Barrier(MPI_COMM_WORLD);
  demand(in_ring > 0 && in_ring < 16, "there is room for some calls", in_ring);
}

/// The root would pass by a call to which the others contribute, and takes part in it then.
void root_would_pass(HostMeeting& meeting, const Ranks& ranks) {
  constexpr std::uint64_t calls = 100;
  Ring ring(meeting, ranks);
  Random random(static_cast<std::uint64_t>(ranks.own) + 23);
  for (std::uint64_t k = 1; k <= calls; ++k) {
    dawdle(random);
    if (ranks.own == 0) demand(ring.look_ahead(1, k) != Where::passed, "a call to which others contribute", k);
    ring.contribute(0, k, 1e-4);
    if (ranks.own == 0) demand(ring.bytes_from(1) == Ring::bytes_of(k), "how much that is", k);
    ring.pass_by();
    if (k % 4 == 0) meeting.meet(0);  // who goes on where there is no room does not always tell in which call that was
  }
}

/// The last rank passes by a call to which the others contribute.
void one_passes(HostMeeting& meeting, const Ranks& ranks) {
  constexpr std::uint64_t calls = 20;
  const int last = ranks.all - 1;
  Random random(static_cast<std::uint64_t>(ranks.own) + 29);
  Ring ring(meeting, ranks);
  for (std::uint64_t k = 1; k <= calls; ++k) {
    ring.contribute(0, k, 1e-4);
    dawdle(random);
    if (ranks.own == 0) {
      ring.next();
      ring.miss(last, k);
      ring.done();
    } else if (ranks.own == last) {
      ring.pass_by();
    } else {
      ring.contribute(0, k, 1e-4);
    }
    meeting.meet(0);
  }
}

/// All but the root pass by a call to which it would contribute, and by some more, and go on to more calls than there
/// is room for: it passes by as well, and finds what was left for those.
void others_pass(HostMeeting& meeting, const Ranks& ranks) {
  constexpr std::uint64_t rounds = 100;
  constexpr std::uint64_t calls = 12;
  Random random(static_cast<std::uint64_t>(ranks.own) + 31);
  Ring ring(meeting, ranks);
  for (std::uint64_t k = 1; k <= rounds; ++k) {
    dawdle(random);
    for (std::uint64_t passed = 0; passed <= k % 4; ++passed) {
      if (ranks.own == 0) {
        ring.next();
        for (int rank = 1; rank < ranks.all; ++rank) ring.miss(rank, k);
        ring.take_back();
      }
      ring.pass_by();
    }
    for (std::uint64_t call = 0; call < calls; ++call) ring.contribute(0, k * calls + call, 0);
    meeting.meet(0);  // who has passed by often since, and had no room, no longer tells of each pass
  }
}

void run(std::uint64_t calls) {
  Ranks ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.own);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.all);
  HostMeeting meeting;
  const pmpi::Result<bool> opened = meeting.open({MPI_COMM_WORLD, ranks.own}, ranks.own, ranks.all);
  demand(opened.ok() && *opened, "opening", 0);
  for (int rings = 0; rings < 3; ++rings) leave_often(meeting, ranks, calls);
  root_comes_last(meeting, ranks);
  root_would_pass(meeting, ranks);
  one_passes(meeting, ranks);
  others_pass(meeting, ranks);
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::laws::run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000);
  MPI_Finalize();
  return 0;
}
