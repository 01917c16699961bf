// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "testing/in_process_mpi/world.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <utility>

#include "pmpi/group/host/file_lock.hpp"
#include "pmpi/mpi/process_wide.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::testing {
namespace {

// The linker is to keep the MPI library: Open MPI's predefined handles are addresses there. Nothing of it is called.
[[gnu::used]] int (*const in_library)(int*, int*) = &::PMPI_Get_version;

thread_local World* current_world = nullptr;
thread_local int current_rank = 0;
thread_local bool clock_ends_turns = false;

// A rank that goes on calling after the end of the run does not look at error codes.
constexpr int max_calls_after_end = 1000000;
thread_local int calls_after_end = 0;
thread_local void (*first_after_end)() = nullptr;

/// The rank whose turn begins finds its own objects.
void arrive(World& entered, int rank) {
  enter_world(entered, rank);
  auto& own = entered.process_wide[static_cast<std::size_t>(rank)];
  for (auto* place = pmpi::ProcessWidePlace::first(); place != nullptr; place = place->next())
    place->exchange(own[place]);
}

void leave(World& left, int rank) {
  auto& own = left.process_wide[static_cast<std::size_t>(rank)];
  for (auto* place = pmpi::ProcessWidePlace::first(); place != nullptr; place = place->next())
    own[place] = place->exchange(nullptr);
}

/// Those of the rank that calls: some need it for their end, or each other.
void destroy_objects() {
  for (bool any = true; any;) {
    any = false;
    for (auto* place = pmpi::ProcessWidePlace::first(); place != nullptr; place = place->next()) {
      void* const object = place->exchange(nullptr);
      if (object == nullptr) continue;
      any = true;
      place->destroy(object);
    }
  }
}

pmpi::Stopwatch::Clock::time_point now() noexcept {
  if (current_world == nullptr) return {};
  constexpr double seconds_of_turn = 1e-6;
  constexpr double seconds_after_end = 1e-3;  // nobody's turns pass then: who waits is to lose patience
  if (clock_ends_turns) current_world->turns.before_look(all_memory);
  if (current_world->turns.stopped()) current_world->seconds += seconds_after_end;
  const double seconds = seconds_of_turn * static_cast<double>(current_world->turns.time()) + current_world->seconds;
  return pmpi::Stopwatch::Clock::time_point(
      std::chrono::duration_cast<pmpi::Stopwatch::Clock::duration>(std::chrono::duration<double>(seconds)));
}

/// Locks are those of the ranks, each of which has a file description of its own. Behind the end of the run there is
/// nobody to wait for.
int lock_of_rank(int file, int command, struct flock* lock) noexcept {
  if (command == F_SETLK) return fcntl(file, F_OFD_SETLK, lock);
  if (current_world == nullptr || !current_world->turns.stopped()) return fcntl(file, F_OFD_GETLK, lock);
  lock->l_type = F_UNLCK;
  return 0;
}

/// As long as it is there, the library finds these functions, and objects of its own.
class TakenOver {
 public:
  TakenOver() {
    add_environment(table_);
    add_communicators(table_);
    add_groups(table_);
    add_collectives(table_);
    add_blocks(table_);
    add_messages(table_);
    add_datatypes(table_);
    before_ = pmpi::resolved_native.exchange(&table_);
    clock_before_ = pmpi::Stopwatch::clock.exchange(&now);
    lock_before_ = pmpi::FileLock::call.exchange(&lock_of_rank);
    for (auto* place = pmpi::ProcessWidePlace::first(); place != nullptr; place = place->next())
      objects_[place] = place->exchange(nullptr);
  }
  ~TakenOver() {
    for (auto& [place, object] : objects_) place->exchange(object);
    pmpi::FileLock::call.store(lock_before_);
    pmpi::Stopwatch::clock.store(clock_before_);
    pmpi::resolved_native.store(before_);
  }
  TakenOver(const TakenOver&) = delete;
  TakenOver& operator=(const TakenOver&) = delete;

 private:
  pmpi::Native table_;
  const pmpi::Native* before_ = nullptr;
  pmpi::Stopwatch::Clock::time_point (*clock_before_)() noexcept = nullptr;
  pmpi::FileLock::Call lock_before_ = nullptr;
  std::map<pmpi::ProcessWidePlace*, void*> objects_;
};

}  // namespace

World::World(const Plan& wanted)
    : plan(wanted),
      turns(
          wanted.ranks, wanted.seed, wanted.scheduler, [this](int rank) { arrive(*this, rank); },
          [this](int rank) { leave(*this, rank); }, wanted.shared_memory),
      process_wide(static_cast<std::size_t>(wanted.ranks)),
      types(predefined_types()),
      stages(static_cast<std::size_t>(wanted.ranks)) {
  outcome.calls.resize(static_cast<std::size_t>(wanted.ranks));
  std::vector<int> ranks(static_cast<std::size_t>(wanted.ranks));
  std::iota(ranks.begin(), ranks.end(), 0);
  all = std::make_unique<Communicator>(ranks, MPI_ERRORS_ARE_FATAL);
  for (const int rank : ranks)
    selves.push_back(std::make_unique<Communicator>(std::vector<int>{rank}, MPI_ERRORS_ARE_FATAL));
}

std::uintptr_t new_number() {
  static std::atomic<std::uintptr_t> latest{0x1000};
  return ++latest;
}

World& world() { return *current_world; }
int world_rank() { return current_rank; }
void enter_world(World& entered, int rank) {
  current_world = &entered;
  current_rank = rank;
}

void end_turns_at_clock(bool end) { clock_ends_turns = end; }
void at_first_call_after_end(void (*action)()) { first_after_end = action; }

int misuse(const std::string& what) {
  world().turns.stop("rank " + std::to_string(world_rank()) + ": " + what);
  return MPI_ERR_OTHER;
}

Call::Call(const char* function, MPI_Comm comm) : name(function) {
  World& w = world();
  const int number = ++w.outcome.calls[static_cast<std::size_t>(world_rank())][function];
  if (w.turns.stopped()) {
    error = MPI_ERR_OTHER;
    if (auto* const action = std::exchange(first_after_end, nullptr)) action();
    if (++calls_after_end > max_calls_after_end) {
      std::fprintf(stderr, "in-process MPI: rank %d goes on calling %s after the end: %s\n", world_rank(), function,
                   w.turns.why_stopped().c_str());
      std::abort();
    }
    return;
  }
  for (const Failure& failure : w.plan.failures) {
    if (failure.rank != world_rank() || failure.call != number || failure.function != function) continue;
    error = raise(comm, failure.code);
    return;
  }
  w.turns.before_call();
}

Outcome run_ranks(const Plan& plan, const std::function<void(int)>& body) {
  const TakenOver taken_over;
  World run(plan);
  run.turns.run([&](int rank) {
    try {
      body(rank);
    } catch (const std::exception& exception) {
      run.turns.stop("rank " + std::to_string(rank) + " threw: " + exception.what());
    }
    destroy_objects();
  });
  if (!run.outcome.ended) run.outcome.trouble = run.turns.why_stopped();
  run.outcome.requests_left = run.requests.size();
  run.outcome.messages_left = run.turns.messages_under_way() + run.all->messages_left();
  for (const auto& [number, comm] : run.communicators) run.outcome.messages_left += comm->messages_left();
  return run.outcome;
}

void set_costs(const Costs& costs) { world().costs = costs; }

void let_others_run(int turns) {
  Turns& t = world().turns;
  if (t.has_scheduler()) {
    t.before_step();
    return;
  }
  const std::uint64_t until = t.now() + static_cast<std::uint64_t>(turns);
  t.later(static_cast<std::uint64_t>(turns), [] {});
  t.wait_until([&t, until] { return t.now() >= until; }, "let_others_run");
}

}  // namespace airamp::testing
