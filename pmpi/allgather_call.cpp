// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/allgather_call.hpp"

#include <algorithm>
#include <type_traits>

#include "pmpi/datatype_info.hpp"
#include "pmpi/eligibility.hpp"
#include "pmpi/missing_function.hpp"
#include "pmpi/native.hpp"

namespace airamp::pmpi {

View GatherCall::view() const {
  View view = view_of_movement(arguments_.recvtype);
  if (!view.eligible || arguments_.sendbuf == MPI_IN_PLACE) return view;
  const View sent = view_of_movement(arguments_.sendtype);
  if (!sent.eligible || sent.element != view.element) {
    view.eligible = false;
    view.why = "what is sent is not known to be of the received element type";
  }
  return view;
}

std::unique_ptr<Algorithm> GatherCall::make_algorithm(const View& view, const Group& group, int tag) const {
  return std::make_unique<CompressedGather>(job_codec(view.element), view.element, group.communicator.get(), group.rank,
                                            group.size, tag);
}

int GatherCall::ranks() const {
  int size = 0;
  native().Comm_size(arguments_.comm, &size);
  return size;
}

std::vector<GatherBlock> GatherCall::blocks() const {
  const std::ptrdiff_t element_bytes = static_cast<std::ptrdiff_t>(payload_bytes(1, arguments_.recvtype));
  std::vector<GatherBlock> blocks;
  for (int rank = 0; rank < ranks(); ++rank) {
    const Place at = place(rank);
    blocks.push_back({static_cast<std::byte*>(arguments_.recvbuf) + at.offset * element_bytes, at.elements});
  }
  return blocks;
}

std::vector<GatherBlock> GatherCall::scratch_blocks(std::byte* scratch) const {
  const std::size_t element_bytes = payload_bytes(1, arguments_.recvtype);
  std::vector<GatherBlock> blocks;
  for (int rank = 0; rank < ranks(); ++rank) {
    const std::size_t elements = place(rank).elements;
    blocks.push_back({scratch, elements});
    scratch += elements * element_bytes;
  }
  return blocks;
}

std::size_t GatherCall::scratch_bytes() const {
  std::size_t elements = 0;
  for (int rank = 0; rank < ranks(); ++rank) elements += place(rank).elements;
  return elements * payload_bytes(1, arguments_.recvtype);
}

const void* GatherCall::input() const {
  if (arguments_.sendbuf != MPI_IN_PLACE) return arguments_.sendbuf;
  int rank = 0;
  native().Comm_rank(arguments_.comm, &rank);
  return blocks()[static_cast<std::size_t>(rank)].output;
}

int GatherCall::run(Algorithm& algorithm) const {
  return static_cast<CompressedGather&>(algorithm).execute(input(), blocks());
}

int GatherCall::run_to_scratch(Algorithm& algorithm, std::byte* scratch) const {
  return static_cast<CompressedGather&>(algorithm).execute(input(), scratch_blocks(scratch));
}

ResultError GatherCall::compare(const View& view, const std::byte* scratch) const {
  ResultError error;
  for (const GatherBlock& block : blocks()) {
    error.add(view.element, block.output, scratch, block.elements);
    scratch += block.elements * gpu::size_of(view.element);
  }
  return error;
}

std::uint64_t AllgatherCall::bytes() const { return payload_bytes(recvcount_, arguments_.recvtype); }

GatherCall::Place AllgatherCall::place(int rank) const {
  return {rank * static_cast<std::ptrdiff_t>(recvcount_), static_cast<std::size_t>(recvcount_)};
}

int AllgatherCall::run_native() const {
  const GatherArguments& a = arguments_;
  if (a.large_count && native().MPI_Allgather_c != nullptr) {
    return native().MPI_Allgather_c(a.sendbuf, a.sendcount, a.sendtype, a.recvbuf, recvcount_, a.recvtype, a.comm);
  }
  if (!fits_int(a.sendcount) || !fits_int(recvcount_)) return missing_function("MPI_Allgather_c", a.comm);
  return native().MPI_Allgather(a.sendbuf, static_cast<int>(a.sendcount), a.sendtype, a.recvbuf,
                                static_cast<int>(recvcount_), a.recvtype, a.comm);
}

template <class Count, class Displacement>
std::uint64_t AllgathervCall<Count, Displacement>::bytes() const {
  int inter = 0;
  const int size = ranks();
  native().Comm_test_inter(arguments_.comm, &inter);
  if (inter != 0 || size <= 0 || recvcounts_ == nullptr) return 0;  // the counts are the other group's
  std::uint64_t elements = 0;
  for (int rank = 0; rank < size; ++rank) elements += static_cast<std::uint64_t>(recvcounts_[rank]);
  return elements * payload_bytes(1, arguments_.recvtype) / static_cast<std::uint64_t>(size);
}

template <class Count, class Displacement>
GatherCall::Place AllgathervCall<Count, Displacement>::place(int rank) const {
  return {static_cast<std::ptrdiff_t>(displs_[rank]), static_cast<std::size_t>(recvcounts_[rank])};
}

template <class Count, class Displacement>
int AllgathervCall<Count, Displacement>::run_native() const {
  const GatherArguments& a = arguments_;
  if constexpr (std::is_same_v<Count, int>) {
    return native().MPI_Allgatherv(a.sendbuf, static_cast<int>(a.sendcount), a.sendtype, a.recvbuf, recvcounts_,
                                   displs_, a.recvtype, a.comm);
  } else {
    if (native().MPI_Allgatherv_c != nullptr) {
      return native().MPI_Allgatherv_c(a.sendbuf, a.sendcount, a.sendtype, a.recvbuf, recvcounts_, displs_, a.recvtype,
                                       a.comm);
    }
    const int size = ranks();
    const bool fits = fits_int(a.sendcount) &&
                      std::all_of(recvcounts_, recvcounts_ + size, [](MPI_Count count) { return fits_int(count); }) &&
                      std::all_of(displs_, displs_ + size, [](MPI_Aint displ) { return fits_int(displ); });
    if (!fits) return missing_function("MPI_Allgatherv_c", a.comm);
    const std::vector<int> counts(recvcounts_, recvcounts_ + size);
    const std::vector<int> displs(displs_, displs_ + size);
    return native().MPI_Allgatherv(a.sendbuf, static_cast<int>(a.sendcount), a.sendtype, a.recvbuf, counts.data(),
                                   displs.data(), a.recvtype, a.comm);
  }
}

template class AllgathervCall<int, int>;
template class AllgathervCall<MPI_Count, MPI_Aint>;

}  // namespace airamp::pmpi
