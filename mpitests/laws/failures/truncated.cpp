// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// truncated: every seventh call has less room on one rank than another sends. That one gets an error, by a returned
// code or by an exception of its error handler, and nobody else; the calls between are right. So it is
// natively, and so it is to be while AIRamp measures.
#include <cstdlib>
#include <numeric>
#include <vector>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::laws {
namespace {

constexpr int calls = 280;

struct Error {
  int code;
};

void leave(MPI_Comm*, int* code, ...) { throw Error{*code}; }

/// One call: blocks of `count` numbers for and of every rank, the last rank's number of the first.
class Exchange {
 public:
  Exchange(int count, bool too_long, MPI_Comm communicator)
      : rank_(rank_in(communicator)),
        ranks_(static_cast<std::size_t>(size_of(communicator))),
        count_(count),
        communicator_(communicator),
        too_long_(too_long),
        send_(ranks_ * static_cast<std::size_t>(count)),
        receive_(send_.size(), -1),
        sent_(ranks_, count),
        received_(ranks_, count),
        places_(ranks_) {
    for (std::size_t i = 0; i < send_.size(); ++i) send_[i] = number(rank_, i);
    std::exclusive_scan(sent_.begin(), sent_.end(), places_.begin(), 0);
  }

  int last() const { return static_cast<int>(ranks_) - 1; }

  int alltoallv() {
    if (too_long_ && rank_ == last()) --received_[0];
    return MPI_Alltoallv(send_.data(), sent_.data(), places_.data(), MPI_INT, receive_.data(), received_.data(),
                         places_.data(), MPI_INT, communicator_);
  }

  /// To the last rank.
  int gatherv() {
    if (too_long_) --received_[0];
    return MPI_Gatherv(send_.data(), count_, MPI_INT, receive_.data(), received_.data(), places_.data(), MPI_INT,
                       last(), communicator_);
  }

  /// From the first rank.
  int scatterv() {
    const int room = count_ - (too_long_ && rank_ == last() ? 1 : 0);
    return MPI_Scatterv(send_.data(), sent_.data(), places_.data(), MPI_INT, receive_.data(), room, MPI_INT, 0,
                        communicator_);
  }

  /// The block that rank `from` has put at place `which` arrived as number `to`.
  bool has_block(int to, int from, int which) const {
    const auto count = static_cast<std::size_t>(count_);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t sent = static_cast<std::size_t>(which) * count + i;
      if (receive_[static_cast<std::size_t>(to) * count + i] != number(from, sent)) return false;
    }
    return true;
  }

  int rank() const { return rank_; }
  int ranks() const { return static_cast<int>(ranks_); }

 private:
  static int number(int rank, std::size_t index) { return rank * 1000000 + static_cast<int>(index); }

  int rank_;
  std::size_t ranks_;
  int count_;
  MPI_Comm communicator_;
  bool too_long_;
  std::vector<int> send_;
  std::vector<int> receive_;
  std::vector<int> sent_;
  std::vector<int> received_;
  std::vector<int> places_;
};

bool is_right(const Exchange& exchange, int (Exchange::*function)()) {
  if (function == &Exchange::scatterv) return exchange.has_block(0, 0, exchange.rank());
  if (function == &Exchange::gatherv && exchange.rank() != exchange.last()) return true;
  const int which = function == &Exchange::gatherv ? 0 : exchange.rank();
  for (int from = 0; from < exchange.ranks(); ++from) {
    if (!exchange.has_block(from, from, which)) return false;
  }
  return true;
}

/// The class of the error, whichever way it comes.
int outcome(Exchange& exchange, int (Exchange::*function)()) {
  int code = MPI_SUCCESS;
  try {
    code = (exchange.*function)();
  } catch (const Error& error) {
    code = error.code;
  }
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

void test(int (Exchange::*function)(), int count, MPI_Errhandler handler) {
  const bool imposed = std::getenv("AIRAMP_FORCE") != nullptr;
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Comm_set_errhandler(communicator, handler);
  for (int call = 1; call <= calls; ++call) {
    const bool too_long = call % 7 == 0;
    Exchange exchange(count, too_long, communicator);
    const int error_class = outcome(exchange, function);
    const bool has_error = too_long && exchange.rank() == exchange.last();
    require((error_class != MPI_SUCCESS) == has_error, "an error where it belongs");
    // MPICH 5 calls it MPI_ERR_IN_STATUS in most functions
    require(!has_error || !imposed || error_class == MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE of AIRamp's own");
    require(too_long || is_right(exchange, function), "what is sent, in the calls that are right");
  }
  MPI_Comm_free(&communicator);
}

}  // namespace

void run() {
  MPI_Errhandler thrower = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(leave, &thrower);
  for (const MPI_Errhandler handler : {MPI_ERRORS_RETURN, thrower}) {
    for (const int count : {4, 700}) {  // of long blocks Open MPI's sender waits for ever
      for (int (Exchange::*const function)() : {&Exchange::alltoallv, &Exchange::gatherv, &Exchange::scatterv}) {
        test(function, count, handler);
      }
    }
  }
  MPI_Errhandler_free(&thrower);
}

}  // namespace airamp::laws
