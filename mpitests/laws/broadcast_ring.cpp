// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// broadcast_ring MESSAGES: every rank finds in a ring exactly what was left for it there, whoever left it and however
// late it comes; where some message was not left, for want of room, all ranks know, and which; a message of who has
// gone is there, and one that nobody will leave is not waited for.
#include "pmpi/group/host/broadcast_ring.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "mpitests/laws/late_ranks.hpp"
#include "pmpi/group/memory/shared_segment.hpp"

namespace airamp::laws {
namespace {

using differential::mix;
using differential::Random;
using pmpi::BroadcastRing;
using pmpi::HostMeeting;
using pmpi::SharedSegment;

/// A ring in memory of its own.
class Ring {
 public:
  Ring(HostMeeting& meeting, const Ranks& ranks) {
    const pmpi::Result<bool> opened =
        memory_.open({MPI_COMM_WORLD, ranks.own}, BroadcastRing::shared_bytes(ranks.all), [] { return true; });
    demand(opened.ok() && *opened, "opening", 0);
    ring_.emplace(memory_.data(), meeting, ranks.own, ranks.all);
  }
  BroadcastRing* operator->() { return &*ring_; }

 private:
  SharedSegment memory_;
  std::optional<BroadcastRing> ring_;
};

/// What message `k` is: all ranks know.
std::vector<std::byte> message(std::uint64_t k) {
  const bool is_short = mix(k) % 4 != 0;
  std::vector<std::byte> bytes(mix(k + 1) % (is_short ? 60 : BroadcastRing::max_bytes + 1));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(mix(k + i / 8) >> (i % 8 * 8));
  return bytes;
}

bool equals(const BroadcastRing::Message& got, const std::vector<std::byte>& expected) {
  return got.data != nullptr && std::equal(got.data, got.data + got.bytes, expected.begin(), expected.end());
}

/// One message from `from`. Whether it was left.
bool pass_on(Ring& ring, const Ranks& ranks, int from, std::uint64_t k, Random& random) {
  const std::vector<std::byte> expected = message(k);
  if (ranks.own == from) {
    if (!ring->has_room() && !ring->wait_for_room(random.chance(0.5) ? 0 : 1e-4)) {
      ring->leave_none();
      return false;
    }
    ring->leave(expected.data(), expected.size());
    return true;
  }
  const BroadcastRing::Message first = ring->take(from);
  demand(first.data != nullptr, "no failure", k);
  const bool left = equals(first, expected);
  demand(left || first.bytes == 0, "what was left", k);
  dawdle(random);
  demand(first.bytes == 0 || equals(first, expected), "the same until it is taken", k);
  ring->taken();
  return left;
}

/// From one rank, and from all in turns; now and then the ranks meet, and one more message follows that all know of.
void leave_often(HostMeeting& meeting, const Ranks& ranks, std::uint64_t messages) {
  Random random(static_cast<std::uint64_t>(ranks.own) + 3);
  Random alike(11);
  Ring ring(meeting, ranks);
  std::uint64_t outcomes = 0;
  for (std::uint64_t k = 1; k <= messages; ++k) {
    const int from = static_cast<int>((alike.chance(0.1) ? alike.bits() : k / 1000) % static_cast<unsigned>(ranks.all));
    dawdle(random);
    const bool looks = ring->next();
    const bool left = looks && pass_on(ring, ranks, from, k, random);
    // an empty message says as little as none
    outcomes = mix(outcomes * 4 + (looks ? 1 : 0) + (left && !message(k).empty() ? 2 : 0));
    if (!alike.chance(0.01)) continue;
    meeting.meet(0);
    const std::vector<std::byte> expected = message(k + 7);
    if (ranks.own == from) {
      ring->leave_for_all(expected.data(), expected.size());
    } else {
      demand(equals(ring->take_with_all(from), expected), "what was left after a meeting", k);
      ring->taken();
    }
  }
  std::uint64_t rank_0s = outcomes;
  MPI_Bcast(&rank_0s, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  demand(rank_0s == outcomes, "the same messages are left for all", messages);
}

/// So many without the others that there is no room, ever again: all know.
void leave_alone(HostMeeting& meeting, const Ranks& ranks) {
  Ring ring(meeting, ranks);
  constexpr std::uint64_t messages = 20000;
  std::uint64_t left = 0;
  char all_left = 0;
  if (ranks.own != 0) MPI_Recv(&all_left, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (std::uint64_t k = 1; k <= messages; ++k) {
    if (!ring->next()) continue;
    const auto byte = static_cast<std::byte>(k);
    if (ranks.own != 0) {
      const BroadcastRing::Message got = ring->take(0);
      demand(got.data != nullptr && (got.bytes == 0 || *got.data == byte), "what was left alone", k);
      left += got.bytes;
      ring->taken();
    } else if (ring->has_room()) {
      ring->leave(&byte, 1);
      ++left;
    } else {
      ring->leave_none();
    }
  }
  for (int rank = 1; ranks.own == 0 && rank < ranks.all; ++rank) {
    MPI_Send(&all_left, 1, MPI_CHAR, rank, 1, MPI_COMM_WORLD);
  }
  std::uint64_t rank_0s = left;
  MPI_Bcast(&rank_0s, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  demand(rank_0s == left && left > 0 && left < 100, "as many were taken as left, and few", left);
}

/// What nobody leaves is not waited for once the communicator is revoked; what was left before that is there.
void revoke(HostMeeting& meeting, const Ranks& ranks) {
  Ring ring(meeting, ranks);
  const std::byte byte{5};
  ring->next();
  if (ranks.own == 0) {
    ring->leave(&byte, 1);
    meeting.revoke();
    MPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const BroadcastRing::Message got = ring->take(0);
  demand(got.bytes == 1 && *got.data == byte, "what was left before", 1);
  ring->taken();
  ring->next();
  demand(ring->take(0).data == nullptr && meeting.has_failed(), "what nobody leaves", 2);
}

void run(std::uint64_t messages) {
  Ranks ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.own);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.all);
  HostMeeting meeting;
  const pmpi::Result<bool> opened = meeting.open({MPI_COMM_WORLD, ranks.own}, ranks.own, ranks.all);
  demand(opened.ok() && *opened, "opening", 0);
  for (int rings = 0; rings < 3; ++rings) leave_often(meeting, ranks, messages);
  leave_alone(meeting, ranks);
  revoke(meeting, ranks);
}

}  // namespace
}  // namespace airamp::laws

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::laws::run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000);
  MPI_Finalize();
  return 0;
}
