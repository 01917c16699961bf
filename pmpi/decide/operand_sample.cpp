// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/operand_sample.hpp"

#include <algorithm>
#include <cstring>

#include "pmpi/device/gpu_device.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::size_t pieces = 16;
constexpr std::size_t piece_elements = 64;

/// Copies this rank's sample to `sample`, which has its size. `device`: nullptr if the data lies on the host.
void read(const CollectiveData& data, GpuDevice* device, std::uint16_t* sample, std::size_t elements) {
  const std::size_t step = elements < pieces * piece_elements ? piece_elements : data.given() / pieces;
  for (std::size_t done = 0, place = 0; done < elements; done += piece_elements, place += step) {
    const std::size_t bytes = std::min(piece_elements, elements - done) * sizeof *sample;
    const auto* const from = static_cast<const std::byte*>(data.input) + place * sizeof *sample;
    if (device == nullptr) {
      std::memcpy(sample + done, from, bytes);
    } else if (!device->copy(sample + done, from, bytes)) {
      std::memset(sample + done, 0, bytes);
    }
  }
}

}  // namespace

Result<Operands> sample_operands(const Call& call, OperandRanks ranks) {
  const int rank = call.state.rank;
  const CollectiveData data = call.collective.data(call.facts);
  const bool on_device = on_gpu(call.facts.memory);
  GpuDevice* const device = on_device ? gpu_device(call.gpu) : nullptr;
  const bool readable = device != nullptr || !on_device;
  const std::size_t elements = std::min(data.given(), pieces * piece_elements);  // the same on all ranks
  std::vector<std::uint16_t> both(2 * elements);
  if (readable && rank == ranks.in) read(data, device, both.data(), elements);
  if (readable && rank == ranks.inout) read(data, device, both.data() + elements, elements);
  // the other ranks' zeros change nothing
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, both.data(), static_cast<int>(both.size()), MPI_UINT16_T,
                                           MPI_BOR, call.state.comm);
  if (error != MPI_SUCCESS) return MpiError{error};
  const auto middle = both.begin() + static_cast<std::ptrdiff_t>(elements);
  return Operands{.in = {both.begin(), middle}, .inout = {middle, both.end()}};
}

}  // namespace airamp::pmpi
