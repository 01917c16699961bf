// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// host_meeting MEETINGS: in every meeting each rank hears exactly what the others said in it, however late some are;
// what a rank wrote before a meeting, the others find after it; MPI messages arrive while somebody waits in one; a
// meeting that may be closed is so for all ranks or for none; its ranks vote from when on they meet again;
// a rank knows for how long others held it up; and nobody waits in one that is revoked.
#include "pmpi/group/host/host_meeting.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "mpitests/differential/random.hpp"
#include "mpitests/laws/late_ranks.hpp"

namespace airamp::laws {
namespace {

using differential::mix;
using differential::Random;
using pmpi::HostMeeting;

std::uint64_t word_of(int rank, std::uint64_t meeting) { return mix(meeting * 16 + static_cast<std::uint64_t>(rank)); }

/// Memory that all ranks see and that has no order of its own: one place per rank.
class Board {
 public:
  explicit Board(const Ranks& ranks) {
    std::string name = "/airamp-test-" + std::to_string(getpid());
    name.resize(64);
    MPI_Bcast(name.data(), 64, MPI_CHAR, 0, MPI_COMM_WORLD);
    const int descriptor = shm_open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    demand(descriptor >= 0 && ftruncate(descriptor, bytes) == 0, "shared memory of the test", 0);
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    demand(memory_ != MAP_FAILED, "shared memory of the test", 0);
    close(descriptor);
    MPI_Barrier(MPI_COMM_WORLD);
    if (ranks.own == 0) shm_unlink(name.c_str());
  }
  ~Board() { munmap(memory_, bytes); }
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  std::uint64_t& place(int rank) const { return static_cast<std::uint64_t*>(memory_)[rank]; }

 private:
  static constexpr std::size_t bytes = 4096;
  void* memory_ = nullptr;
};

void meet_often(HostMeeting& meeting, const Ranks& ranks, const Board& board, std::uint64_t meetings) {
  Random random(static_cast<std::uint64_t>(ranks.own) + 5);
  for (std::uint64_t k = 1; k <= meetings; ++k) {
    if (random.chance(0.1)) dawdle(random);
    if (k % 2 == 1) board.place(ranks.own) = k;  // read after this meeting, written again after the next
    const HostMeeting::Words words = meeting.meet(word_of(ranks.own, k));
    for (int rank = 0; rank < ranks.all; ++rank) {
      demand(words[static_cast<std::size_t>(rank)] == word_of(rank, k), "a word", k);
      if (k % 2 == 1) demand(board.place(rank) == k, "what was written before", k);
    }
  }
}

/// Rank 0 comes only after the last rank has taken a message, which it does inside the meeting. Messages that nobody
/// looks at do not stop it.
void meet_late(HostMeeting& meeting, const Ranks& ranks, std::uint64_t k) {
  constexpr int bytes = 4 << 20;
  const int last = ranks.all - 1;
  std::vector<char> message(bytes, 0);
  char ignored[2] = {};
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (ranks.own == last) {
    MPI_Isend(&ignored[0], 1, MPI_CHAR, last, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(message.data(), bytes, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &requests[1]);
  }
  if (ranks.own == 0) MPI_Ssend(message.data(), bytes, MPI_CHAR, last, 7, MPI_COMM_WORLD);
  const HostMeeting::Words words = meeting.meet(word_of(ranks.own, k));
  demand(words[static_cast<std::size_t>(last)] == word_of(last, k), "a word after a message", k);
  if (ranks.own == last) MPI_Recv(&ignored[1], 1, MPI_CHAR, last, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

bool is_as_on_rank_0(std::uint64_t outcomes) {
  std::uint64_t rank_0s = outcomes;
  MPI_Bcast(&rank_0s, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return rank_0s == outcomes;
}

/// Ranks that are late, and others of little patience. What was said and laid out in a meeting that was not closed is
/// there, however late a rank looks.
void meet_or_close(HostMeeting& meeting, const Ranks& ranks, std::uint64_t meetings) {
  Random random(static_cast<std::uint64_t>(ranks.own) + 17);
  std::uint64_t outcomes = 0;
  for (std::uint64_t k = 1; k <= meetings; ++k) {
    const bool may_close = !meeting.was_closed() && k % 3 != 0;
    const HostMeeting::Patience patience{.seconds = random.chance(0.5) ? 0.0 : 1e-4,
                                         .first = random.chance(0.2) ? static_cast<int>(k) % ranks.all : -1};
    if (random.chance(0.1)) dawdle(random);
    const std::uint64_t number = meeting.meetings() + 1;
    *reinterpret_cast<std::uint64_t*>(meeting.data(ranks.own, number)) = word_of(ranks.own, k + 1);
    meeting.arrive(word_of(ranks.own, k), k, may_close ? &patience : nullptr);
    if (random.chance(0.02)) usleep(static_cast<useconds_t>(random.below(200)));
    const HostMeeting::Words words = meeting.hear();
    demand(meeting.meetings() == number, "the number", k);
    demand(may_close || !meeting.was_closed(), "closing where nobody may", k);
    outcomes = mix(outcomes * 2 + (meeting.was_closed() ? 1 : 0));
    for (int rank = 0; rank < ranks.all; ++rank) {
      const std::uint64_t said = meeting.was_closed() ? 0 : word_of(rank, k);
      demand(words[static_cast<std::size_t>(rank)] == said, "a word where meetings are closed", k);
      if (meeting.was_closed()) continue;
      const std::uint64_t data = *reinterpret_cast<const std::uint64_t*>(meeting.data(rank, number));
      demand(data == word_of(rank, k + 1), "data where meetings are closed", k);
    }
  }
  demand(is_as_on_rank_0(outcomes), "the same meetings are closed for all", meetings);
}

/// Rank 0 comes only when rank 1 has left the meeting.
void close_before(HostMeeting& meeting, const Ranks& ranks, std::uint64_t k) {
  char left = 0;
  if (ranks.own == 0) MPI_Recv(&left, 1, MPI_CHAR, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const HostMeeting::Patience patience{.seconds = 0};
  meeting.arrive(word_of(ranks.own, k), 0, &patience);
  meeting.hear();
  demand(meeting.was_closed(), "a meeting without rank 0 is closed", k);
  if (ranks.own == 1) MPI_Send(&left, 1, MPI_CHAR, 0, 9, MPI_COMM_WORLD);
}

void leave_before(HostMeeting& meeting, const Ranks& ranks, std::uint64_t k) {
  close_before(meeting, ranks, k);
  const HostMeeting::Words words = meeting.meet(word_of(ranks.own, k));
  demand(!meeting.was_closed() && words[0] == word_of(0, k), "the meeting after it", k);
}

/// Nothing but meetings that may be closed, with a vote behind each that was; and now and then one that cannot be, in
/// the midst of a vote. All ranks find the same.
void vote_or_close(HostMeeting& meeting, const Ranks& ranks, std::uint64_t calls) {
  Random random(static_cast<std::uint64_t>(ranks.own) + 29);
  std::uint64_t outcomes = 0;
  for (std::uint64_t k = 1; k <= calls; ++k) {
    if (random.chance(0.1)) dawdle(random);
    const bool may_close = k % 97 != 0;
    if (may_close && meeting.was_closed() && !meeting.begins_anew(true)) {
      outcomes = mix(outcomes * 3);
      continue;
    }
    const HostMeeting::Patience patience{.seconds = random.chance(0.1) ? 0.0 : 1e-3};
    meeting.arrive(word_of(0, k), k, may_close ? &patience : nullptr);
    const bool all = meeting.all_say(word_of(0, k));
    demand(all != meeting.was_closed(), "a meeting takes place, or is closed", k);
    outcomes = mix(outcomes * 3 + (all ? 1 : 2));
  }
  demand(is_as_on_rank_0(outcomes), "the same meetings take place for all", calls);
}

/// Ranks that are in step meet again a few calls behind a meeting that was closed.
void vote_in_step(HostMeeting& meeting, const Ranks& ranks, std::uint64_t k) {
  close_before(meeting, ranks, k);
  constexpr int enough_calls = 4;
  int calls = 0;
  do {
    MPI_Barrier(MPI_COMM_WORLD);
    demand(++calls <= enough_calls, "a vote of ranks in step", k);
  } while (!meeting.begins_anew(true));
  demand(meeting.meet(word_of(0, k))[0] == word_of(0, k), "a meeting behind the vote", k);
}

/// A rank is held up by the others where it has some patience with them: not by whom it waits for natively, as long as
/// it takes.
void be_held_up(HostMeeting& meeting, const Ranks& ranks) {
  const int late = ranks.all - 1;
  bool has_waited = false;
  const auto come = [&](const HostMeeting::Patience& patience, std::uint64_t k) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (ranks.own == late) usleep(5000);
    meeting.arrive(word_of(0, k), 0, &patience);
    demand(meeting.all_say(word_of(0, k)), "a meeting with patience", k);
    has_waited = has_waited || meeting.waited_seconds() > 0;
  };
  constexpr double long_seconds = 100;
  for (std::uint64_t k = 1; k <= 5; ++k) {
    come({.seconds = long_seconds}, k);
    demand(meeting.held_up_seconds() == meeting.waited_seconds(), "held up by the others", k);
    come({.seconds = long_seconds, .first = late}, k);
    demand(meeting.held_up_seconds() <= (ranks.all == 2 ? 0 : meeting.waited_seconds()), "not held up by the first", k);
    come({.seconds = std::numeric_limits<double>::infinity()}, k);
    demand(meeting.held_up_seconds() == 0, "not held up where it waits natively", k);
  }
  demand(has_waited || ranks.own == late, "waiting for the late rank", 0);
}

/// Rank 0 passes by where the others meet: they close the meeting and follow, and so it is with those after it. Rank 0
/// comes to each one before the next call, which is not theirs: it does not agree with them, though all say the same.
void pass_by(HostMeeting& meeting, const Ranks& ranks) {
  for (int passed = 0; passed < 3; ++passed) meeting.pass_by();  // on all ranks
  for (std::uint64_t k = 0; k < 5; ++k) {
    if (ranks.own != 0 || k > 0) {
      meeting.arrive(word_of(0, k));
      demand(!meeting.all_say(word_of(0, k)), "agreement with a rank that passes by", k);
      meeting.hear();
      demand(!meeting.has_failed() && (ranks.own == 0 || meeting.was_closed()), "a meeting that a rank passes by", k);
    } else {
      meeting.pass_by();
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// Rank 0 revokes the communicator and comes no more: the others hear of it where they wait, and it waits for nobody.
void revoke(HostMeeting& meeting, const Ranks& ranks) {
  demand(!meeting.has_failed() && meeting.failure() == MPI_SUCCESS, "no failure before", 0);
  if (ranks.own == 0) meeting.revoke();
  for (int repeated = 0; ranks.own != 0 && repeated < 2; ++repeated) {
    meeting.meet(word_of(ranks.own, 0));
    demand(meeting.has_failed() && meeting.is_revoked() && meeting.failure() != MPI_SUCCESS, "a revoked meeting", 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  meeting.meet(word_of(ranks.own, 0));
  demand(meeting.has_failed() && meeting.failure() != MPI_SUCCESS, "the meeting after it", 0);
}

void run(std::uint64_t meetings) {
  Ranks ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.own);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.all);
  const Board board(ranks);
  HostMeeting meeting;
  const pmpi::Result<bool> opened = meeting.open({MPI_COMM_WORLD, ranks.own}, ranks.own, ranks.all);
  demand(opened.ok() && *opened, "opening", 0);
  demand(!meeting.given_up(), "nobody has given up", 0);
  meet_often(meeting, ranks, board, meetings);
  for (std::uint64_t k = 1; k <= 5; ++k) meet_late(meeting, ranks, k);
  meet_or_close(meeting, ranks, meetings / 10);
  meeting.meet(0);
  for (std::uint64_t k = 1; k <= 5; ++k) leave_before(meeting, ranks, k);
  meeting.meet(0);
  vote_or_close(meeting, ranks, meetings / 10);
  meeting.meet(0);
  for (std::uint64_t k = 1; k <= 5; ++k) vote_in_step(meeting, ranks, k);
  be_held_up(meeting, ranks);
  if (ranks.own == 0) meeting.give_up();
  meeting.meet(0);
  demand(meeting.given_up(), "rank 0 has given up", 0);
  {
    HostMeeting other;
    const pmpi::Result<bool> opened_too = other.open({MPI_COMM_WORLD, ranks.own}, ranks.own, ranks.all);
    demand(opened_too.ok() && *opened_too, "opening", 1);
    pass_by(other, ranks);
  }
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
