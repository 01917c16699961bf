// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What MPI does not write, AIRamp does not write either, where it gives host copies of GPU buffers to an MPI library
// that cannot read them: other threads and kernels may be at work there. Here such pages are read-only: between the
// blocks of a datatype, between those of a gather, and all of a broadcast's on its root.
#include <sys/mman.h>

#include <cstring>
#include <functional>

#include "mpitests/committed_datatype.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/fake_gpu/fake_gpu.hpp"

namespace airamp::device_tests {
namespace {

constexpr std::size_t page = 4096;

/// Pages of the fake GPU's, all zero.
class Pages {
 public:
  explicit Pages(std::size_t count)
      : data_(fake_gpu_allocate(count * page, fake_gpu::Kind::device)),
        host_(static_cast<std::byte*>(fake_gpu_host_address(data_))),
        count_(count) {}
  ~Pages() {
    mprotect(host_, count_ * page, PROT_READ | PROT_WRITE);
    fake_gpu_free(data_);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  void* data() const { return data_; }
  std::byte* operator[](std::size_t number) const { return host_ + number * page; }
  void protect(std::size_t number) const { mprotect(host_ + number * page, page, PROT_READ); }
  void fill(std::size_t number, int value) const { std::memset(host_ + number * page, value, page); }
  bool holds(std::size_t number, int value) const {
    const std::byte* const begin = host_ + number * page;
    return *begin == static_cast<std::byte>(value) && std::memcmp(begin, begin + 1, page - 1) == 0;
  }

 private:
  void* data_;
  std::byte* host_;
  std::size_t count_;
};

CommittedDatatype every_other_page(int pages) {
  return CommittedDatatype([pages](MPI_Datatype* type) { MPI_Type_vector(pages, page, 2 * page, MPI_BYTE, type); });
}

void broadcast() {
  constexpr std::size_t blocks = 8;
  const CommittedDatatype type = every_other_page(blocks);
  for (int root = 0; root < size_of(); ++root) {
    const Pages pages(2 * blocks);
    for (std::size_t i = 0; i < 2 * blocks; ++i) {
      if (rank_in() == root) pages.fill(i, static_cast<int>(i) + 1);
      if (rank_in() == root || i % 2 == 1) pages.protect(i);
    }
    MPI_Bcast(pages.data(), 1, type.get(), root, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < 2 * blocks; i += 2)
      require(pages.holds(i, static_cast<int>(i) + 1), "a broadcast page");
  }
}

/// Every rank gives a page; behind each lies one that is nobody's. In place, the rank's own is there already.
void gather(bool in_place) {
  const auto ranks = static_cast<std::size_t>(size_of());
  const auto own = static_cast<std::size_t>(rank_in());
  const Pages send(1);
  const Pages receive(2 * ranks);
  send.fill(0, rank_in() + 1);
  if (in_place) {
    receive.fill(2 * own, rank_in() + 1);
    receive.protect(2 * own);
  }
  std::vector<int> displacements;
  const std::vector<int> counts(ranks, page);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    displacements.push_back(static_cast<int>(2 * rank * page));
    receive.protect(2 * rank + 1);
  }
  MPI_Allgatherv(in_place ? MPI_IN_PLACE : send.data(), page, MPI_BYTE, receive.data(), counts.data(),
                 displacements.data(), MPI_BYTE, MPI_COMM_WORLD);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    require(receive.holds(2 * rank, static_cast<int>(rank) + 1), "a gathered page");
  }
}

/// Datatypes of every irregular kind, two elements of each: what arrives lies where it belongs.
void keep_layouts() {
  constexpr int ints = 64;
  const int lengths[] = {3, 1, 4};
  const int places[] = {0, 5, 9};
  const auto indexed = [&](MPI_Datatype* type) { MPI_Type_indexed(3, lengths, places, MPI_INT, type); };
  const auto resized = [&](MPI_Aint lower_bound, MPI_Aint extent) {
    return [&indexed, lower_bound, extent](MPI_Datatype* type) {
      const CommittedDatatype inner(indexed);
      MPI_Type_create_resized(inner.get(), lower_bound, extent, type);
    };
  };
  const std::function<void(MPI_Datatype*)> makers[] = {
      indexed,
      [](MPI_Datatype* type) { MPI_Type_contiguous(5, MPI_INT, type); },
      [](MPI_Datatype* type) { MPI_Type_vector(4, 2, 3, MPI_INT, type); },
      resized(-8, 80),
      resized(0, -64),
      resized(0, 8 * sizeof(int) + 64),
      [](MPI_Datatype* type) { MPI_Type_create_hindexed_block(0, 1, nullptr, MPI_INT, type); },
  };
  for (const auto& make : makers) {
    const CommittedDatatype type(make);
    const Pages pages(1);
    auto* const numbers = reinterpret_cast<int*>(pages[0]);
    std::vector<int> expected(2 * ints, 0);
    std::vector<int> sent(2 * ints);
    for (int i = 0; i < 2 * ints; ++i) sent[static_cast<std::size_t>(i)] = i + 1;
    // by the MPI library, on the host
    MPI_Sendrecv(sent.data() + ints / 2, 2, type.get(), 0, 0, expected.data() + ints / 2, 2, type.get(), 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (rank_in() == 0) std::memcpy(numbers, sent.data(), sent.size() * sizeof(int));
    MPI_Bcast(static_cast<int*>(pages.data()) + ints / 2, 2, type.get(), 0, MPI_COMM_WORLD);
    const std::vector<int>& right = rank_in() == 0 ? sent : expected;
    require(std::memcmp(numbers, right.data(), right.size() * sizeof(int)) == 0, "where elements lie");
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  using namespace airamp::device_tests;
  MPI_Init(&argc, &argv);
  broadcast();
  gather(false);
  gather(true);
  keep_layouts();
  MPI_Finalize();
  return 0;
}
