// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// started [some|failing|lost]: nonblocking allreduces of GPU buffers, which complete once all ranks have started them,
// whatever those do afterwards. `some`: of a few lengths, for many ranks. `failing`: rank 1's GPU copies nothing.
// `lost`: rank 1 alone resets its GPU.
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <list>
#include <random>
#include <string_view>

#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/fake_device/started_sum.hpp"
#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace airamp::device_tests {
namespace {

constexpr int starts_to_agree = 40;  // before they go through shared memory
constexpr int tag = 3;
constexpr std::size_t short_length = 7;    // through the memory of the host
constexpr std::size_t long_length = 5000;  // through that of the GPUs

bool is_forced(std::string_view algorithm) {
  const char* const force = std::getenv("AIRAMP_FORCE");
  return force != nullptr && algorithm == force;
}

/// Of calls that AIRamp carries, if it is made to carry any.
std::size_t typical_length() { return is_forced("peer-one-shot") ? long_length : short_length; }

void complete(Sum& sum) {
  MPI_Wait(&sum.request, MPI_STATUS_IGNORE);
  sum.check();
}

/// Calls of some lengths go through shared memory from here on, if they may.
void agree(MPI_Comm communicator, const Where& where = {}) {
  for (const std::size_t count : {std::size_t{1}, short_length, std::size_t{255}, long_length, std::size_t{20000}}) {
    Sum whole(false, count, true, communicator, where);
    Sum fraction(true, count, false, communicator, where);
    for (int round = 0; round < starts_to_agree; ++round) {
      whole.start(round);
      fraction.start(round);
      complete(fraction);
      complete(whole);
    }
  }
  MPI_Barrier(communicator);
}

/// On each rank anywhere, the same on some.
Where draw_where(std::mt19937& random, std::mt19937& own) {
  if (random() % 2 == 0) return {.offset = random() % 3 == 0 ? std::size_t{1} : 0};
  const auto place = [&] { return static_cast<Place>(own() % places); };
  return {.send = place(), .receive = place(), .offset = own() % 2 * 8};
}

std::size_t draw_length(std::mt19937& random) {
  constexpr std::size_t lengths[] = {1, 255, long_length, 20000, short_length, 3, 256, 0};  // the last three are not
                                                                                            // agreed on
  return lengths[random() % std::size(lengths)];
}

void blocking_sum(MPI_Comm communicator, Place place) {
  Buffer value(place, sizeof(int));
  const int one = 1;
  std::memcpy(value.host(), &one, sizeof one);
  MPI_Allreduce(MPI_IN_PLACE, value.data(), 1, MPI_INT, MPI_SUM, communicator);
  int sum = 0;
  std::memcpy(&sum, value.host(), sizeof sum);
  require(sum == size_of(communicator), "a blocking sum between");
}

/// Several at a time, complete in any order, between other collectives.
void any_order(MPI_Comm communicator, int rounds) {
  std::mt19937 random(7);  // the same on all ranks
  std::mt19937 own(static_cast<unsigned>(rank_in(communicator)));
  for (int round = 0; round < rounds; ++round) {
    std::list<Sum> sums;
    for (unsigned left = random() % 6 + 1; left > 0; --left) {
      const bool fractions = random() % 2 == 0;
      const bool in_place = random() % 2 == 0;
      const std::size_t length = draw_length(random);
      sums.emplace_back(fractions, length, in_place, communicator, draw_where(random, own));
      sums.back().start(round);
    }
    const unsigned between = random() % 8;
    if (between < 2) blocking_sum(communicator, between == 0 ? Place::device : Place::host);
    while (!sums.empty()) {
      const auto next = std::next(sums.begin(), static_cast<std::ptrdiff_t>(own() % sums.size()));
      complete(*next);
      sums.erase(next);
    }
  }
}

/// By each of the functions that look at requests, beside messages of the host's.
class Mixed {
 public:
  Mixed(MPI_Comm communicator, int round)
      : short_(true, short_length, false, communicator), long_(false, long_length, true, communicator) {
    const int rank = rank_in(communicator);
    const int ranks = size_of(communicator);
    MPI_Irecv(&received_, 1, MPI_INT, (rank + ranks - 1) % ranks, tag, communicator, &requests_[0]);
    MPI_Isend(&sent_, 1, MPI_INT, (rank + 1) % ranks, tag, communicator, &requests_[3]);
    short_.start(round);
    long_.start(round);
    requests_[1] = short_.request;
    requests_[2] = long_.request;
  }

  void wait_all() {
    MPI_Waitall(count, requests_, MPI_STATUSES_IGNORE);
    check();
  }
  void wait_any() {
    for (int left = count; left > 0; --left) {
      int index = MPI_UNDEFINED;
      MPI_Waitany(count, requests_, &index, MPI_STATUS_IGNORE);
      require(index >= 0 && requests_[index] == MPI_REQUEST_NULL, "the request that an index names is gone");
    }
    check();
  }
  void wait_some() {
    int indices[count];
    for (int left = count; left > 0;) {
      int complete = 0;
      MPI_Waitsome(count, requests_, &complete, indices, MPI_STATUSES_IGNORE);
      require(complete > 0, "MPI_Waitsome completes some");
      left -= complete;
    }
    check();
  }
  void test_all() {
    for (int flag = 0; flag == 0;) MPI_Testall(count, requests_, &flag, MPI_STATUSES_IGNORE);
    check();
  }
  void test_any() {
    for (int left = count; left > 0;) {
      int flag = 0;
      int index = MPI_UNDEFINED;
      MPI_Testany(count, requests_, &index, &flag, MPI_STATUS_IGNORE);
      if (flag != 0) --left;
    }
    check();
  }
  void test_some() {
    int indices[count];
    for (int left = count; left > 0;) {
      int complete = 0;
      MPI_Testsome(count, requests_, &complete, indices, MPI_STATUSES_IGNORE);
      left -= complete;
    }
    check();
  }
  /// Of converted handles.
  void test_each() {
    for (MPI_Request& request : requests_) {
      const MPI_Fint converted = MPI_Request_c2f(request);
      int flag = 0;
      while (flag == 0) MPI_Request_get_status(MPI_Request_f2c(converted), &flag, MPI_STATUS_IGNORE);
      flag = 0;
      while (flag == 0) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    check();
  }

 private:
  static constexpr int count = 4;

  void check() {
    for (const MPI_Request request : requests_) require(request == MPI_REQUEST_NULL, "all requests are gone");
    short_.request = long_.request = MPI_REQUEST_NULL;
    short_.check();
    long_.check();
    require(received_ == sent_, "a message beside it");
  }

  int sent_ = 42;
  int received_ = 0;
  Sum short_;
  Sum long_;
  MPI_Request requests_[count] = {};
};

void beside_messages(MPI_Comm communicator) {
  for (int round = 0; round < 10; ++round) {
    Mixed(communicator, round).wait_all();
    Mixed(communicator, round).wait_any();
    Mixed(communicator, round).wait_some();
    Mixed(communicator, round).test_all();
    Mixed(communicator, round).test_any();
    Mixed(communicator, round).test_some();
    Mixed(communicator, round).test_each();
  }
}

/// Natively a start never waits: one rank starts many before the others come, which wait for a message that it sends
/// afterwards. And a rank that has started holds nobody up, whatever it waits for.
void far_ahead(MPI_Comm communicator) {
  constexpr int ahead = 70;
  const int rank = rank_in(communicator);
  const int ranks = size_of(communicator);
  for (int first = 0; first < ranks; ++first) {
    std::list<Sum> sums;
    if (rank != first) MPI_Recv(nullptr, 0, MPI_CHAR, first, tag, communicator, MPI_STATUS_IGNORE);
    for (int round = 0; round < ahead; ++round) {
      sums.emplace_back(true, typical_length(), round % 2 == 0, communicator);
      sums.back().start(round);
    }
    for (int other = 0; rank == first && other < ranks; ++other) {
      if (other != first) MPI_Send(nullptr, 0, MPI_CHAR, other, tag, communicator);
    }
    for (Sum& sum : sums) complete(sum);
  }
  for (int last = 0; last < ranks; ++last) {
    Sum sum(true, typical_length(), false, communicator);
    sum.start(last);
    if (rank != last) {  // only behind its completion the others let it go on
      complete(sum);
      MPI_Send(nullptr, 0, MPI_CHAR, last, tag, communicator);
      continue;
    }
    for (int other = 0; other < ranks; ++other) {
      if (other != last) MPI_Recv(nullptr, 0, MPI_CHAR, other, tag, communicator, MPI_STATUS_IGNORE);
    }
    complete(sum);
  }
}

/// A kernel that the application launches behind a start holds up no end of it, whatever room it leaves.
void beside_a_kernel(MPI_Comm communicator) {
  for (const std::size_t count : {short_length, long_length}) {
    for (int round = 0; round < 4; ++round) {
      const bool no_room = round % 2 == rank_in() % 2;
      Sum sum(true, count, round % 2 == 0, communicator);
      fake_gpu_occupy(no_room && round >= 2);
      sum.start(round);
      fake_gpu_keep_default_stream_busy(true);
      fake_gpu_occupy(no_room);
      complete(sum);
      fake_gpu_keep_default_stream_busy(false);
      fake_gpu_occupy(false);
    }
  }
}

/// Elements with gaps between them, which stay as they are, by an operation of the program's own.
void with_gaps(MPI_Comm communicator) {
  struct Spaced {
    std::int64_t number;
    std::int64_t gap;
  };
  constexpr int count = 50;
  MPI_Datatype spaced = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT64_T, 0, sizeof(Spaced), &spaced);
  MPI_Type_commit(&spaced);
  MPI_Op add = MPI_OP_NULL;
  MPI_Op_create(
      [](void* in, void* inout, int* length, MPI_Datatype*) {
        for (int i = 0; i < *length; ++i) static_cast<Spaced*>(inout)[i].number += static_cast<Spaced*>(in)[i].number;
      },
      1, &add);
  Buffer send(Place::device, count * sizeof(Spaced));
  Buffer receive(Place::device, count * sizeof(Spaced));
  for (int i = 0; i < count; ++i) {
    const Spaced value{.number = rank_in(communicator) + i, .gap = -1};
    std::memcpy(send.host() + static_cast<std::size_t>(i) * sizeof value, &value, sizeof value);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(send.data(), receive.data(), count, spaced, add, communicator, &request);
  MPI_Type_free(&spaced);
  MPI_Op_free(&add);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const int ranks = size_of(communicator);
  for (int i = 0; i < count; ++i) {
    Spaced value{};
    std::memcpy(&value, receive.host() + static_cast<std::size_t>(i) * sizeof value, sizeof value);
    require(value.number == ranks * (ranks - 1) / 2 + ranks * i, "a sum of elements with gaps");
    std::int64_t untouched = 0;
    std::memset(&untouched, static_cast<int>(Buffer::pattern), sizeof untouched);
    require(value.gap == untouched, "a gap stays as it is");
  }
}

/// The application resets its GPU, on all ranks or, where what is started does not need it, on some.
void beside_resets(MPI_Comm communicator) {
  const bool any = is_forced("shared-memory") || is_forced("native");
  for (int which = any ? 0 : 2; which < 4; ++which) {
    MPI_Barrier(communicator);
    if (which >= 2 || rank_in(communicator) % 2 == which) fake_gpu_reset();
    any_order(communicator, 10);
    agree(communicator);
    any_order(communicator, 10);
  }
}

/// Calls that are under way outlive their communicator's handle.
void freed_early() {
  for (int i = 0; i < 2; ++i) {
    MPI_Comm all = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    agree(all);
    std::list<Sum> sums;
    for (int round = 0; round < 5; ++round) {
      sums.emplace_back(round % 2 == 0, typical_length(), round % 3 == 0, all);
      sums.back().start(round);
    }
    MPI_Comm_free(&all);
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (Sum& sum : sums) complete(sum);
    Sum after(true, typical_length(), false, other);
    after.start(1);
    complete(after);
    MPI_Comm_free(&other);
  }
}

/// A sum that rank 0 is the first to start. Returns the error of its end.
int wait_for_first(Sum& sum) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int rank = rank_in();
  if (rank != 0) MPI_Recv(nullptr, 0, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  sum.start(1);
  for (int other = 1; rank == 0 && other < size_of(); ++other) {
    MPI_Send(nullptr, 0, MPI_CHAR, other, tag, MPI_COMM_WORLD);
  }
  const int error = MPI_Wait(&sum.request, MPI_STATUS_IGNORE);
  require(sum.request == MPI_REQUEST_NULL, "a request is gone whose call has failed");
  return error;
}

/// Rank 1 cannot give what rank 0 has decided that all give: it alone hears of it, and the others find NaN.
void run_failing() {
  agree(MPI_COMM_WORLD, {.send = Place::host, .receive = Place::host});
  const int rank = rank_in();
  Sum sum(true, short_length, false, MPI_COMM_WORLD);
  const int error = wait_for_first(sum);
  require((error == MPI_ERR_BUFFER) == (rank == 1), "the rank whose GPU has failed hears of it");
  require(rank == 1 || sum.is_nan(0), "what is missing is no number");
}

/// The same over the GPUs, after a reset of which rank 0 does not know: all hear of it. The next calls are native.
void run_lost() {
  agree(MPI_COMM_WORLD);
  if (rank_in() == 1) fake_gpu_reset();
  Sum sum(true, long_length, false, MPI_COMM_WORLD);
  require(wait_for_first(sum) == MPI_ERR_BUFFER, "all ranks hear of a vector that is missing");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  blocking_sum(MPI_COMM_WORLD, Place::device);
  any_order(MPI_COMM_WORLD, 20);
}

void run_all(bool some) {
  agree(MPI_COMM_WORLD);
  any_order(MPI_COMM_WORLD, some ? 20 : 100);
  with_gaps(MPI_COMM_WORLD);
  beside_a_kernel(MPI_COMM_WORLD);
  if (some) return;
  beside_messages(MPI_COMM_WORLD);
  far_ahead(MPI_COMM_WORLD);
  any_order(MPI_COMM_WORLD, 20);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_in() % 2, -rank_in(), &half);
  agree(half);
  any_order(half, 20);
  MPI_Comm_free(&half);
  // of those that go through shared memory: Open MPI's own do not survive it
  if (is_forced("shared-memory") || is_forced("peer-one-shot")) freed_early();
  beside_resets(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "failing") {
    airamp::device_tests::run_failing();
  } else if (mode == "lost") {
    airamp::device_tests::run_lost();
  } else {
    airamp::device_tests::run_all(mode == "some");
  }
  MPI_Finalize();
  return 0;
}
