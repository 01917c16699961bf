// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/ccl_group.hpp"

#include <algorithm>
#include <vector>

#include "pmpi/device/queue_wait.hpp"
#include "pmpi/job/host_identity.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

/// What each rank tells the others before they open the library's communicator: once they do, one that could not would
/// leave the others waiting.
struct Card {
  std::uint64_t able = 0;  ///< 1: has the library and a GPU that it works on
  std::uint64_t host = 0;
  gpu::CclSite site;
};

/// Why these ranks cannot be a communicator of the library; empty if they can. The same on all ranks but for `own`.
std::string obstacle(const std::vector<Card>& cards, const std::string& own) {
  for (const Card& card : cards) {
    if (card.able == 0) return own.empty() ? "some rank has no library that works on its GPU" : own;
  }
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (cards[i].site.version != cards[0].site.version) return "the ranks have different versions of the library";
    for (std::size_t j = 0; j < i; ++j) {
      if (cards[i].host == cards[j].host && cards[i].site.bus_id == cards[j].site.bus_id) return "ranks share a GPU";
    }
  }
  return {};
}

bool on_one_host(const std::vector<Card>& cards) {
  return std::all_of(cards.begin(), cards.end(), [&](const Card& card) { return card.host == cards.front().host; });
}

/// The name of a communicator, drawn by rank 0.
struct Name {
  std::uint64_t drawn = 0;  ///< 1: it was
  gpu::CclId id;
};

}  // namespace

Result<Made<std::unique_ptr<CclGroup>>> CclGroup::create(MPI_Comm comm, int rank, int size,
                                                         const gpu::Location& location) {
  using MadeGroup = Made<std::unique_ptr<CclGroup>>;
  GpuDevice* const device = gpu_device(location);
  gpu::Error error;
  Card own{.able = 0, .host = host_identity(), .site = {}};
  std::string own_trouble = "this rank's GPU has no plugin";
  if (device != nullptr) {
    own.able = device->backend().ccl_find(device->handle(), own.site, error) ? 1 : 0;
    own_trouble = error.text.data();
  }
  std::vector<Card> cards(static_cast<std::size_t>(size));
  int failure = native().MPI_Allgather(&own, sizeof own, MPI_BYTE, cards.data(), sizeof own, MPI_BYTE, comm);
  if (failure != MPI_SUCCESS) return MpiError{failure};
  const std::string why_not = obstacle(cards, own.able == 1 ? std::string() : own_trouble);
  if (!why_not.empty()) return MadeGroup::not_made(why_not);

  Name name;
  if (rank == 0) name.drawn = device->backend().ccl_unique_id(device->handle(), name.id, error) ? 1 : 0;
  failure = native().MPI_Bcast(&name, sizeof name, MPI_BYTE, 0, comm);
  if (failure != MPI_SUCCESS) return MpiError{failure};
  if (name.drawn == 0) {
    return MadeGroup::not_made(rank == 0 ? error.text.data() : "rank 0 could not draw a name for the communicator");
  }
  std::unique_ptr<CclGroup> made(new CclGroup(*device, name.id));
  std::string trouble;
  const bool opened = made->open(rank, size, trouble) && made->progress_.start() == MPI_SUCCESS;
  const Result<bool> all_opened = agree_on_success(comm, opened);
  if (!all_opened.ok()) return MpiError{all_opened.error()};
  if (!*all_opened) return MadeGroup::not_made(opened ? "some rank could not open a communicator" : trouble);
  if (size <= gpu::max_peers && on_one_host(cards)) {
    const Result<bool> met = made->meeting_.open({comm, rank}, rank, size);
    if (!met.ok()) return MpiError{met.error()};
    made->meets_ = *met;
  }
  return MadeGroup{.made = std::move(made), .why_not = {}};
}

bool CclGroup::open(int rank, int size, std::string& why) {
  gpu::Error error;
  const gpu::Backend& backend = device_.backend();
  // First what others wait for: a rank without a queue is heard of after that.
  ccl_ = backend.ccl_open(device_.handle(), id_, rank, size, error);
  if (ccl_ != nullptr) queue_ = backend.open_queue(device_.handle(), error);
  if (queue_ == nullptr) why = error.text.data();
  return queue_ != nullptr;
}

void CclGroup::break_off() {
  if (ccl_ != nullptr) device_.backend().ccl_close(ccl_, true);
  ccl_ = nullptr;
}

CclGroup::~CclGroup() {
  break_off();
  if (queue_ != nullptr) device_.close_queue(queue_);
}

void CclGroup::close(MPI_Comm comm) noexcept {
  // Closing waits for the other ranks of the host without keeping the MPI library going, and takes away memory that
  // they may still be reading: not before all have come. Those whose communication failed come too.
  static_cast<void>(native().MPI_Barrier(comm));
  if (ccl_ != nullptr) device_.backend().ccl_close(ccl_, false);
  ccl_ = nullptr;
}

int CclGroup::run(const gpu::CclCollective& collective) {
  if (ccl_ == nullptr) return MPI_ERR_OTHER;
  gpu::Error error;
  if (device_.backend().ccl_start(queue_, ccl_, collective, error)) return wait();
  return fail(std::string("a collective of the GPUs' library could not be started: ") + error.text.data());
}

int CclGroup::wait() {
  gpu::Error error;
  const auto go_on = [this] {
    progress_.once();  // what this rank has said in the agreement before may still be on its way
    return !meets_ || !meeting_.given_up();
  };
  switch (wait_for(device_.backend(), queue_, error, go_on)) {
    case gpu::Progress::done:
      return MPI_SUCCESS;
    case gpu::Progress::failed:
      return fail(std::string("a collective of the GPUs' library failed: ") + error.text.data());
    case gpu::Progress::running:
    case gpu::Progress::left:
      break;
  }
  return fail("another rank could not take part in a collective of the GPUs' library");
}

int CclGroup::fail(const std::string& what) {
  telemetry::log(config::LogLevel::error, what);
  if (meets_) meeting_.give_up();
  break_off();  // which the library on other hosts notices
  return MPI_ERR_OTHER;
}

}  // namespace airamp::pmpi
