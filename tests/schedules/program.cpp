// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/schedules/program.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "pmpi/entry/hooks.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "testing/in_process_mpi/airamp_rank.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"

namespace airamp::schedules {
namespace {

using pmpi::native;

/// Small integers: their sums are exact in every order, so that a lossless path has one result.
float element(int rank, int index) { return static_cast<float>((index * 7 + rank * 3) % 11 + 1); }

std::vector<float> contribution(int rank, int elements = Rank::elements) {
  std::vector<float> values(static_cast<std::size_t>(elements));
  for (int i = 0; i < elements; ++i) values[static_cast<std::size_t>(i)] = element(rank, i);
  return values;
}

/// Of the contributions of the first `ranks` ranks.
std::vector<float> sum_of(int ranks, int elements = Rank::elements) {
  std::vector<float> sum(static_cast<std::size_t>(elements));
  for (int peer = 0; peer < ranks; ++peer) {
    const std::vector<float> own = contribution(peer, elements);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += own[i];
  }
  return sum;
}

}  // namespace

void Rank::require(bool holds, const char* what) {
  if (!holds && wrong_.empty()) wrong_ = "rank " + std::to_string(rank_) + ": " + what;
}

/// Where they are: AIRamp knows buffers again by their place.
void Rank::fill(std::vector<float>& values) const {
  std::ranges::copy_n(contribution(rank_).begin(), static_cast<std::ptrdiff_t>(values.size()), values.begin());
}

void Rank::check(const std::vector<float>& values, const std::vector<float>& expected, const char* what) {
  constexpr double lossy = 0.05;
  const bool may_be_lossy = airamp_ && pmpi::job().settings.enable_fp8_allreduce;
  double squared_error = 0;
  double squared = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squared_error += std::pow(double{values[i]} - expected[i], 2);
    squared += std::pow(double{expected[i]}, 2);
  }
  require(std::sqrt(squared_error) <= (may_be_lossy ? lossy : 0) * std::sqrt(squared), what);
}

/// Of all ranks' contributions.
std::vector<float> Rank::sum() const { return sum_of(size_); }

void Rank::check_sum(const std::vector<float>& values) {
  check(values, sum(), "a sum is wrong");
  results_.insert(results_.end(), values.begin(), values.end());
}

/// What the communicator's calls came to so far; the same on all ranks.
void Rank::note_decisions(MPI_Comm comm) {
  const pmpi::CommunicatorState* const state = airamp_ ? pmpi::find_communicator_state(comm) : nullptr;
  if (state == nullptr) return;
  std::string text;
  for (const auto& [key, signature] : state->signatures) {
    text += std::to_string(signature.calls) + " calls, " + std::to_string(signature.accelerated_calls) +
            " accelerated, " + std::to_string(signature.piggybacked_calls) + " asked along, " +
            std::to_string(signature.vetoed_calls) + " vetoed, " + std::to_string(signature.tuning_calls) +
            " measured, choice " + std::to_string(signature.tuner.choice()) + "; ";
  }
  note(text);
}

void Rank::allreduce(std::vector<float>& values, MPI_Comm comm) {
  fill(values);
  const auto call = airamp_ ? pmpi::on_MPI_Allreduce : native().MPI_Allreduce;
  const int error = call(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_FLOAT, MPI_SUM, comm);
  require(error == MPI_SUCCESS, "MPI_Allreduce fails");
  if (error == MPI_SUCCESS) check_sum(values);
  note_decisions(comm);
}

void Rank::native_allreduce() {
  fill(values_);
  native().MPI_Allreduce(MPI_IN_PLACE, values_.data(), elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

void Rank::allgather() {
  fill(values_);
  std::vector<float> all(static_cast<std::size_t>(size_) * elements);
  const auto call = airamp_ ? pmpi::on_MPI_Allgather : native().MPI_Allgather;
  const int error = call(values_.data(), elements, MPI_FLOAT, all.data(), elements, MPI_FLOAT, MPI_COMM_WORLD);
  require(error == MPI_SUCCESS, "MPI_Allgather fails");
  for (int peer = 0; error == MPI_SUCCESS && peer < size_; ++peer) {
    const auto begin = all.begin() + std::ptrdiff_t{peer} * elements;
    check({begin, begin + elements}, contribution(peer), "a gathered part is wrong");
  }
  results_.insert(results_.end(), all.begin(), all.end());
  note_decisions(MPI_COMM_WORLD);
}

void Rank::broadcast(int root, MPI_Comm comm) {
  fill(values_);
  const auto call = airamp_ ? pmpi::on_MPI_Bcast : native().MPI_Bcast;
  const int root_there = comm == MPI_COMM_WORLD ? root : size_ - 1 - root;
  const int error = call(values_.data(), elements, MPI_FLOAT, root_there, comm);
  require(error == MPI_SUCCESS && values_ == contribution(root), "a broadcast is wrong");
  note_decisions(comm);
}

void Rank::reduce(int root) {
  fill(values_);
  std::vector<float> sums(elements);
  const auto call = airamp_ ? pmpi::on_MPI_Reduce : native().MPI_Reduce;
  const int error = call(values_.data(), sums.data(), elements, MPI_FLOAT, MPI_SUM, root, MPI_COMM_WORLD);
  require(error == MPI_SUCCESS, "MPI_Reduce fails");
  if (error == MPI_SUCCESS && rank_ == root) check(sums, sum(), "a reduced sum is wrong");
  note_decisions(MPI_COMM_WORLD);
}

void Rank::scan(int count) {
  const std::vector<float> own = contribution(rank_, count);
  std::vector<float> sums(own.size());
  const auto call = airamp_ ? pmpi::on_MPI_Scan : native().MPI_Scan;
  const int error = call(own.data(), sums.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  require(error == MPI_SUCCESS, "MPI_Scan fails");
  if (error == MPI_SUCCESS) check(sums, sum_of(rank_ + 1, count), "a prefix sum is wrong");
  note_decisions(MPI_COMM_WORLD);
}

void Rank::scatter(int root, int count) {
  std::vector<float> blocks;
  for (int peer = 0; rank_ == root && peer < size_; ++peer) {
    const std::vector<float> theirs = contribution(peer, count);
    blocks.insert(blocks.end(), theirs.begin(), theirs.end());
  }
  std::vector<float> block(count);
  const auto call = airamp_ ? pmpi::on_MPI_Scatter : native().MPI_Scatter;
  const int error = call(blocks.data(), count, MPI_FLOAT, block.data(), count, MPI_FLOAT, root, MPI_COMM_WORLD);
  require(error == MPI_SUCCESS && block == contribution(rank_, count), "a scattered block is wrong");
  note_decisions(MPI_COMM_WORLD);
}

struct Rank::Lengths {
  std::vector<int> counts;  ///< by rank
  std::vector<int> places;  ///< likewise, one behind the other
};

/// `count` of the rank behind the root, and some of each other one.
Rank::Lengths Rank::lengths(int root, int count) const {
  Lengths made;
  for (int rank = 0; rank < size_; ++rank) made.counts.push_back(rank == (root + 1) % size_ ? count : rank);
  made.places.resize(made.counts.size());
  std::exclusive_scan(made.counts.begin(), made.counts.end(), made.places.begin(), 0);
  return made;
}

/// The blocks of all ranks, one behind the other.
std::vector<float> Rank::blocks_of(const Lengths& lengths) const {
  std::vector<float> blocks;
  for (int rank = 0; rank < size_; ++rank) {
    const std::vector<float> block = contribution(rank, lengths.counts[static_cast<std::size_t>(rank)]);
    blocks.insert(blocks.end(), block.begin(), block.end());
  }
  return blocks;
}

void Rank::scatter_lengths(int root, int count) {
  const auto [counts, places] = lengths(root, count);
  const std::vector<float> all = blocks_of({counts, places});
  const int own = counts[static_cast<std::size_t>(rank_)];
  std::vector<float> block(static_cast<std::size_t>(own));
  const auto call = airamp_ ? pmpi::on_MPI_Scatterv : native().MPI_Scatterv;
  const int error =
      call(all.data(), counts.data(), places.data(), MPI_FLOAT, block.data(), own, MPI_FLOAT, root, MPI_COMM_WORLD);
  require(error == MPI_SUCCESS && block == contribution(rank_, own), "a scattered block is wrong");
  note_decisions(MPI_COMM_WORLD);
}

void Rank::gather_lengths(int root, int count) {
  const auto [counts, places] = lengths(root, count);
  const std::vector<float> own = contribution(rank_, counts[static_cast<std::size_t>(rank_)]);
  std::vector<float> all(static_cast<std::size_t>(places.back() + counts.back()));
  const auto call = airamp_ ? pmpi::on_MPI_Gatherv : native().MPI_Gatherv;
  const int error = call(own.data(), static_cast<int>(own.size()), MPI_FLOAT, all.data(), counts.data(), places.data(),
                         MPI_FLOAT, root, MPI_COMM_WORLD);
  require(error == MPI_SUCCESS, "MPI_Gatherv fails");
  if (error == MPI_SUCCESS && rank_ == root) check(all, blocks_of({counts, places}), "gathered blocks are wrong");
  note_decisions(MPI_COMM_WORLD);
}

void Rank::barrier() {
  const auto call = airamp_ ? pmpi::on_MPI_Barrier : native().MPI_Barrier;
  require(call(MPI_COMM_WORLD) == MPI_SUCCESS, "MPI_Barrier fails");
  note_decisions(MPI_COMM_WORLD);
}

void Rank::start() {
  Started& started = started_.emplace_back();
  fill(started.values);
  const auto call = airamp_ ? pmpi::on_MPI_Iallreduce : native().MPI_Iallreduce;
  const int error =
      call(MPI_IN_PLACE, started.values.data(), elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &started.request);
  require(error == MPI_SUCCESS, "MPI_Iallreduce fails");
  note_decisions(MPI_COMM_WORLD);
}

void Rank::complete() {
  Started& oldest = started_.front();
  const auto wait = airamp_ ? pmpi::on_MPI_Wait : native().MPI_Wait;
  const int error = wait(&oldest.request, MPI_STATUS_IGNORE);
  require(error == MPI_SUCCESS && oldest.request == MPI_REQUEST_NULL, "MPI_Wait fails");
  if (error == MPI_SUCCESS) check_sum(oldest.values);
  started_.pop_front();
}

void Rank::during_message(int from, int to, const std::function<void()>& body) {
  constexpr int tag = 0;
  int number = rank_ == from ? 42 : 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank_ == from) native().Send_init(&number, 1, MPI_INT, to, tag, MPI_COMM_WORLD, &request);
  if (rank_ == to) native().Recv_init(&number, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &request);
  if (request != MPI_REQUEST_NULL) native().MPI_Start(&request);
  body();
  if (request == MPI_REQUEST_NULL) return;
  require(native().MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && number == 42, "a message is wrong");
  native().MPI_Request_free(&request);
}

void Rank::during_collective(const std::function<void()>& body) {
  fill(values_in_flight_);
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = native().MPI_Iallreduce(MPI_IN_PLACE, values_in_flight_.data(), elements, MPI_FLOAT, MPI_SUM,
                                            MPI_COMM_WORLD, &request);
  require(error == MPI_SUCCESS, "MPI_Iallreduce fails");
  body();
  if (error != MPI_SUCCESS) return;
  require(native().MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "MPI_Wait fails");
  check(values_in_flight_, sum(), "a nonblocking sum is wrong");
}

void Rank::on_new_communicator(const std::function<void(MPI_Comm)>& body) {
  MPI_Comm comm = MPI_COMM_NULL;
  require(native().Comm_split(MPI_COMM_WORLD, 0, -rank_, &comm) == MPI_SUCCESS, "MPI_Comm_split fails");
  if (comm == MPI_COMM_NULL) return;
  body(comm);
  const auto free = airamp_ ? pmpi::on_MPI_Comm_free : native().MPI_Comm_free;
  require(free(&comm) == MPI_SUCCESS, "MPI_Comm_free fails");
}

void Rank::have_errors_returned() { native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); }

void Rank::want(bool airamp) {
  if (airamp_) pmpi::job().wanted = airamp;
}

void Rank::make_library(bool slow) { testing::set_costs({.collective_seconds = slow ? 1e-3 : 0}); }

void Rank::share_memory(MPI_Comm comm) {
  pmpi::CommunicatorState* const state = airamp_ ? pmpi::communicator_state(comm) : nullptr;
  if (state != nullptr) state->calls_for_shared_memory = 1000;  // as behind so many
}

void Rank::share_starts() {
  pmpi::CommunicatorState* const state = airamp_ ? pmpi::communicator_state(MPI_COMM_WORLD) : nullptr;
  if (state == nullptr) return;
  for (pmpi::StartedForm& form : *state->started) form.settled_from = form.calls;  // as behind so many
  state->started->set_due(true);
}

bool Rank::shares_starts() const {
  const pmpi::CommunicatorState* const state = airamp_ ? pmpi::communicator_state(MPI_COMM_WORLD) : nullptr;
  return state == nullptr || std::all_of(state->started->begin(), state->started->end(),
                                         [](const pmpi::StartedForm& form) { return form.carried; });
}

void Rank::review_often() {
  if (airamp_) pmpi::job().review_windows = {.smallest = 2, .largest = 4, .in_doubt = 1, .first_pause = 2};
}

std::string run(const Program& program, int ranks, testing::Scheduler& scheduler, bool airamp) {
  std::vector<std::unique_ptr<Rank>> all;
  for (int rank = 0; rank < ranks; ++rank) all.push_back(std::make_unique<Rank>(rank, ranks, airamp));
  const testing::Outcome outcome = testing::run_ranks({.ranks = ranks,
                                                       .failures = program.failures,
                                                       .shared_memory = program.shared_memory,
                                                       .largest_tag = program.largest_tag,
                                                       .scheduler = &scheduler},
                                                      [&](int rank) {
                                                        config::Settings settings = program.settings;
                                                        if (program.adjust) program.adjust(settings, rank);
                                                        std::optional<testing::AirampRank> here;
                                                        if (airamp) here.emplace(settings);
                                                        program.body(*all[static_cast<std::size_t>(rank)]);
                                                      });
  if (!program.failures.empty()) return "";
  if (!outcome.trouble.empty()) return outcome.trouble;
  if (outcome.ended) return "an error ends the job";
  for (const auto& rank : all) {
    if (!rank->wrong().empty()) return rank->wrong();
    const std::string number = std::to_string(rank->rank());
    if (rank->decisions() != all.front()->decisions()) return "rank " + number + " decides otherwise than rank 0";
    if (rank->results() != all.front()->results()) return "rank " + number + " has other results than rank 0";
  }
  if (outcome.requests_left > 0) return std::to_string(outcome.requests_left) + " requests are left over";
  if (outcome.messages_left > 0) return std::to_string(outcome.messages_left) + " messages are left over";
  return "";
}

}  // namespace airamp::schedules
