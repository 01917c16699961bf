// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// rank_order [lossy]: sums of real numbers on device buffers have the bits of the type's arithmetic in rank order, in
// binary32 for two-byte types. `lossy`: they are within the error of two quantisations instead, and all ranks have the
// same bits.
#include <cmath>
#include <cstring>

#include "mpitests/fake_device/checked_call/call.hpp"
#include "mpitests/fake_device/checked_call/check.hpp"
#include "mpitests/fake_device/checked_call/real_numbers.hpp"

namespace airamp::device_tests {
namespace {

constexpr double compressed_error = 0.06;  // relative, L2

double sum_in_rank_order(Format format, std::size_t index, int round) {
  if (format == Format::float64) {
    double sum = typed(format, input(0, index, round));
    for (int rank = 1; rank < size_of(); ++rank) sum += typed(format, input(rank, index, round));
    return sum;
  }
  auto sum = static_cast<float>(typed(format, input(0, index, round)));
  for (int rank = 1; rank < size_of(); ++rank) sum += static_cast<float>(typed(format, input(rank, index, round)));
  return typed(format, static_cast<double>(sum));
}

void run(const Element& element, MPI_Op op, std::size_t count, int round, bool lossy) {
  const Buffer send(Place::device, count * element.bytes);
  const Buffer receive(Place::device, count * element.bytes, element.bytes);
  for (std::size_t i = 0; i < count; ++i) {
    gpu_tests::set_value(element.format, send.host(), i, input(rank_in(), i, round));
  }
  require(MPI_Allreduce(send.data(), receive.data(), static_cast<int>(count), element.type, op, MPI_COMM_WORLD) ==
              MPI_SUCCESS,
          "return code");
  double error = 0;
  double norm = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double expected = sum_in_rank_order(element.format, i, round);
    const double got = gpu_tests::value_at(element.format, receive.host(), i);
    if (!lossy && got != expected) {
      require(false, element.name + ", element " + std::to_string(i) + " of " + std::to_string(count) + ": " +
                         std::to_string(got) + ", not " + std::to_string(expected));
    }
    error += (got - expected) * (got - expected);
    norm += expected * expected;
  }
  require(error <= norm * compressed_error * compressed_error, element.name + ": error of a sum");
  require_same_bits(receive.host(), count * element.bytes);
}

void run_all(bool lossy) {
  const Vocabulary vocabulary;
  int round = 0;
  for (const Element& element : vocabulary.elements()) {
    if (!gpu_tests::is_float(element.format)) continue;
    const MPI_Op op = vocabulary.operations(element).front()->op;
    for (const std::size_t count : {std::size_t{20000}, std::size_t{40961}}) run(element, op, count, ++round, lossy);
  }
}

}  // namespace
}  // namespace airamp::device_tests

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  airamp::device_tests::run_all(argc > 1 && std::strcmp(argv[1], "lossy") == 0);
  MPI_Finalize();
  return 0;
}
