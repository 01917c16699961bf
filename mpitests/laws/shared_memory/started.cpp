// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// shared_memory_started: nonblocking allreduces and barriers, which complete once all ranks have started them, whatever
// those do afterwards.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <random>
#include <type_traits>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

constexpr int starts_to_agree = 40;  // before they go through shared memory
constexpr int tag = 3;
constexpr std::size_t long_count = 999;  // beyond the room for short vectors

std::int64_t number(int rank, int round, std::size_t i) {
  return 1000003 * static_cast<std::int64_t>(rank + 1) + 101 * round + static_cast<std::int64_t>(i);
}

/// A sum of integers, or of floating-point numbers that are whole, so that it is exact. Under way from its construction
/// on; to stay where it is.
class Sum {
 public:
  Sum(bool whole, int round, std::size_t count, bool in_place, MPI_Comm communicator)
      : round_(round), communicator_(communicator), ranks_(size_of(communicator)) {
    if (whole) {
      start(integers_, MPI_INT64_T, count, in_place);
    } else {
      start(fractions_, MPI_DOUBLE, count, in_place);
    }
  }
  Sum(const Sum&) = delete;
  Sum& operator=(const Sum&) = delete;

  MPI_Request request = MPI_REQUEST_NULL;

  /// After its request was completed.
  void check() const {
    require(request == MPI_REQUEST_NULL, "a request that is complete is gone");
    check(integers_);
    check(fractions_);
  }

 private:
  template <class Number>
  struct Vectors {
    std::vector<Number> values;
    std::vector<Number> result;
  };

  template <class Number>
  void start(Vectors<Number>& vectors, MPI_Datatype type, std::size_t count, bool in_place) {
    const int rank = rank_in(communicator_);
    vectors.values.resize(count);
    for (std::size_t i = 0; i < count; ++i) vectors.values[i] = static_cast<Number>(number(rank, round_, i));
    vectors.result.assign(count + 1, Number{-1});
    if (in_place) std::copy(vectors.values.begin(), vectors.values.end(), vectors.result.begin());
    MPI_Iallreduce(in_place ? MPI_IN_PLACE : vectors.values.data(), vectors.result.data(), static_cast<int>(count),
                   type, MPI_SUM, communicator_, &request);
  }

  template <class Number>
  void check(const Vectors<Number>& vectors) const {
    if (vectors.result.empty()) return;
    for (std::size_t i = 0; i < vectors.values.size(); ++i) {
      std::int64_t expected = 0;
      for (int other = 0; other < ranks_; ++other) expected += number(other, round_, i);
      require(vectors.result[i] == static_cast<Number>(expected), "a sum of all contributions to this call");
    }
    require(vectors.result.back() == Number{-1}, "nothing behind the result");
  }

  int round_;
  MPI_Comm communicator_;
  int ranks_;
  Vectors<std::int64_t> integers_;
  Vectors<double> fractions_;
};

void complete(Sum& sum) {
  MPI_Wait(&sum.request, MPI_STATUS_IGNORE);
  sum.check();
}

void barrier(MPI_Comm communicator) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(communicator, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  require(request == MPI_REQUEST_NULL, "a request that is complete is gone");
}

/// Calls of some lengths go through shared memory from here on.
void agree(MPI_Comm communicator) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{40}, std::size_t{255}, long_count}) {
    for (int round = 0; round < starts_to_agree; ++round) {
      Sum whole(true, round, count, round % 2 == 0, communicator);
      Sum fraction(false, round, count, round % 3 == 0, communicator);
      complete(fraction);
      complete(whole);
      if (count == 1) barrier(communicator);
    }
  }
  MPI_Barrier(communicator);
}

std::size_t length(std::mt19937& random) {
  constexpr std::size_t lengths[] = {1, 7, 40, 255, long_count, 3, 300};  // the last two are not agreed on
  return lengths[random() % std::size(lengths)];
}

/// Several at a time, complete in any order, between other collectives.
void any_order(MPI_Comm communicator) {
  std::mt19937 random(7);  // the same on all ranks
  std::mt19937 own(static_cast<unsigned>(rank_in(communicator)));
  for (int round = 0; round < 200; ++round) {
    std::list<Sum> sums;
    for (unsigned left = random() % 6 + 1; left > 0; --left) {
      sums.emplace_back(random() % 2 == 0, round, length(random), random() % 2 == 0, communicator);
      if (random() % 4 == 0) barrier(communicator);
    }
    if (random() % 8 == 0) {
      int one = 1;
      MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, communicator);
      require(one == size_of(communicator), "a blocking sum between");
    }
    while (!sums.empty()) {
      const auto next = std::next(sums.begin(), static_cast<std::ptrdiff_t>(own() % sums.size()));
      complete(*next);
      sums.erase(next);
    }
  }
}

/// Beside messages, by each of the functions that take several requests.
class Mixed {
 public:
  Mixed(MPI_Comm communicator, int round, bool with_messages)
      : sum_(true, round, 7, false, communicator), other_(false, round, 40, true, communicator) {
    const int rank = rank_in(communicator);
    const int ranks = size_of(communicator);
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    if (with_messages) {
      MPI_Irecv(&received_, 1, MPI_INT, (rank + ranks - 1) % ranks, tag, communicator, &receive);
      MPI_Isend(&sent_, 1, MPI_INT, (rank + 1) % ranks, tag, communicator, &send);
    }
    MPI_Ibarrier(communicator, &barrier_);
    requests_ = {receive, sum_.request, MPI_REQUEST_NULL, barrier_, send, other_.request};
    active_ = with_messages ? 5 : 3;
    if (!with_messages) received_ = sent_;
  }

  void wait_all() {
    std::vector<MPI_Status> statuses(requests_.size());
    MPI_Waitall(count(), requests_.data(), statuses.data());
    check();
  }
  void wait_any() {
    for (int left = active_; left > 0; --left) {
      int index = MPI_UNDEFINED;
      MPI_Status status;
      MPI_Waitany(count(), requests_.data(), &index, &status);
      require_gone(index);
    }
    int index = 0;
    MPI_Waitany(count(), requests_.data(), &index, MPI_STATUS_IGNORE);
    require(index == MPI_UNDEFINED, "no request is active any more");
    check();
  }
  void wait_some() {
    std::vector<int> indices(requests_.size());
    std::vector<MPI_Status> statuses(requests_.size());
    for (int left = active_; left > 0;) {
      int complete = MPI_UNDEFINED;
      MPI_Waitsome(count(), requests_.data(), &complete, indices.data(), statuses.data());
      require(complete > 0 && complete <= left, "MPI_Waitsome completes some");
      for (int i = 0; i < complete; ++i) require_gone(indices[static_cast<std::size_t>(i)]);
      left -= complete;
    }
    check();
  }
  void test_all() {
    for (int flag = 0; flag == 0;) {
      MPI_Testall(count(), requests_.data(), &flag, MPI_STATUSES_IGNORE);
      const bool all_gone = std::all_of(requests_.begin(), requests_.end(), is_null);
      require(all_gone == (flag != 0), "MPI_Testall completes all or none");
    }
    check();
  }
  void test_any() {
    for (int left = active_; left > 0;) {
      int flag = 0;
      int index = MPI_UNDEFINED;
      MPI_Testany(count(), requests_.data(), &index, &flag, MPI_STATUS_IGNORE);
      if (flag == 0) continue;
      require_gone(index);
      --left;
    }
    check();
  }
  void test_some() {
    std::vector<int> indices(requests_.size());
    for (int left = active_; left > 0;) {
      int complete = MPI_UNDEFINED;
      MPI_Testsome(count(), requests_.data(), &complete, indices.data(), MPI_STATUSES_IGNORE);
      require(complete >= 0 && complete <= left, "MPI_Testsome completes some of those that are active");
      for (int i = 0; i < complete; ++i) require_gone(indices[static_cast<std::size_t>(i)]);
      left -= complete;
    }
    check();
  }
  void test_each() {
    for (MPI_Request& request : requests_) {
      int flag = 0;
      while (flag == 0) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
      flag = 0;
      while (flag == 0) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    check();
  }

 private:
  static bool is_null(MPI_Request request) { return request == MPI_REQUEST_NULL; }
  int count() const { return static_cast<int>(requests_.size()); }
  void require_gone(int index) const {
    require(index >= 0 && index < count() && is_null(requests_[static_cast<std::size_t>(index)]),
            "the request that an index names is gone");
  }
  void check() {
    require(std::all_of(requests_.begin(), requests_.end(), is_null), "all requests are gone");
    sum_.request = other_.request = MPI_REQUEST_NULL;
    sum_.check();
    other_.check();
    require(received_ == sent_, "a message beside it");
  }

  int sent_ = 42;
  int received_ = 0;
  Sum sum_;
  Sum other_;
  MPI_Request barrier_ = MPI_REQUEST_NULL;
  std::vector<MPI_Request> requests_;
  int active_;
};

void beside_messages(MPI_Comm communicator) {
  for (int round = 0; round < 60; ++round) {
    const bool with_messages = round % 3 != 0;
    Mixed(communicator, round, with_messages).wait_all();
    Mixed(communicator, round, with_messages).wait_any();
    Mixed(communicator, round, with_messages).wait_some();
    Mixed(communicator, round, with_messages).test_all();
    Mixed(communicator, round, with_messages).test_any();
    Mixed(communicator, round, with_messages).test_some();
    Mixed(communicator, round, with_messages).test_each();
  }
}

/// Natively a start never waits: one rank starts many before the others come, which wait for a message that it sends
/// afterwards. And a rank that has started holds nobody up, whatever it waits for.
void far_ahead(MPI_Comm communicator) {
  constexpr int ahead = 100;
  const int rank = rank_in(communicator);
  const int ranks = size_of(communicator);
  for (int first = 0; first < ranks; ++first) {
    std::list<Sum> sums;
    if (rank != first) MPI_Recv(nullptr, 0, MPI_CHAR, first, tag, communicator, MPI_STATUS_IGNORE);
    for (int round = 0; round < ahead; ++round) {
      const std::size_t counts[] = {1, 7, long_count};
      sums.emplace_back(round % 2 == 0, round, counts[round % 3], false, communicator);
    }
    for (int other = 0; rank == first && other < ranks; ++other) {
      if (other != first) MPI_Send(nullptr, 0, MPI_CHAR, other, tag, communicator);
    }
    for (Sum& sum : sums) complete(sum);
  }
  for (int last = 0; last < ranks; ++last) {
    Sum sum(false, last, 7, false, communicator);
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

/// Calls that are under way outlive their communicator's handle.
void freed_early() {
  for (int i = 0; i < 4; ++i) {
    MPI_Comm all = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    agree(all);
    std::list<Sum> sums;
    for (int round = 0; round < 5; ++round)
      sums.emplace_back(round % 2 == 0, round, round < 3 ? 7 : long_count, false, all);
    MPI_Comm_free(&all);
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (Sum& sum : sums) complete(sum);
    Sum after(true, 1, 7, false, other);
    complete(after);
    MPI_Comm_free(&other);
  }
}

/// MPI_Pcontrol is each rank's own.
void switched_off(MPI_Comm communicator) {
  for (const int off : {0, 1}) {
    const bool mine = rank_in(communicator) == off;
    for (int round = 0; round < 200; ++round) {
      if (mine && round == 50) MPI_Pcontrol(0);
      if (mine && round == 150) MPI_Pcontrol(1);
      Sum sum(round % 2 == 0, round, 7, false, communicator);
      if (round % 20 == 19) MPI_Barrier(communicator);
      complete(sum);
    }
  }
}

/// An error, and no harm.
void cannot_be_cancelled(MPI_Comm communicator) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(communicator, &before);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  Sum sum(true, 1, 7, false, communicator);
  require(MPI_Cancel(&sum.request) != MPI_SUCCESS, "MPI_Cancel of a collective is an error");
  complete(sum);
  MPI_Comm_set_errhandler(communicator, before);
  MPI_Errhandler_free(&before);
}

/// What has no status of its own.
void has_an_empty_status(MPI_Comm communicator) {
  Sum sum(true, 1, 7, false, communicator);
  MPI_Status status;
  int bytes = -1;
  int cancelled = 1;
  MPI_Wait(&sum.request, &status);
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  MPI_Test_cancelled(&status, &cancelled);
  require(bytes == 0 && cancelled == 0, "the status of a collective is empty");
  sum.check();
}

}  // namespace

void run() {
  on_communicators([&](MPI_Comm communicator) {
    agree(communicator);
    any_order(communicator);
    if (size_of(communicator) > 1) {
      beside_messages(communicator);
      far_ahead(communicator);
    }
    any_order(communicator);
  });
  // of those that go through shared memory: Open MPI's libnbc goes on with the communicator that is no more, and
  // crashes
  const bool all_carried = std::getenv("AIRAMP_FORCE") != nullptr;
  if (all_carried) freed_early();
  MPI_Comm fresh = MPI_COMM_NULL;  // none of whose starts have been left to the MPI library
  MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
  agree(fresh);
  if (all_carried) has_an_empty_status(fresh);  // what the MPI library says there is anything
  if (all_carried) cannot_be_cancelled(fresh);  // nor does every MPI library survive this
  switched_off(fresh);
  MPI_Comm_free(&fresh);
}

}  // namespace airamp::laws
