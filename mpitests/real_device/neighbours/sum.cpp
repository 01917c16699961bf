// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "mpitests/real_device/neighbours/sum.hpp"

#include <algorithm>
#include <array>

#include "mpitests/real_device/device.hpp"

namespace airamp::gpu_tests {
namespace {

constexpr int fillings = 4;
constexpr int calls_of_one_filling = 10;
constexpr float rubbish = 0.25F;  // no sum of whole numbers

float number(unsigned round, int rank, std::size_t index) {
  const std::size_t mixed = index * 7 + round * 131U + static_cast<std::size_t>(rank) * 1009U;
  return static_cast<float>(mixed % 2039U) - 1019.0F;
}

std::vector<float> read(const void* data, std::size_t count) {
  std::vector<float> values(count);
  copy_bytes(values.data(), data, count * sizeof(float));
  return values;
}

std::string mistake_at(const char* what, std::size_t index, float expected, float got) {
  return std::string(what) + " " + std::to_string(index) + " is " + std::to_string(got) + ", not " +
         std::to_string(expected);
}

}  // namespace

Sum::Sum(const Job& job, void* send, void* receive, std::size_t count)
    : job_(job), send_(send), receive_(receive), count_(count) {}

void Sum::fill() {
  ++round_;
  std::vector<float> values(count_);
  for (std::size_t i = 0; i < count_; ++i) values[i] = number(round_, job_.rank, i);
  copy_bytes(send_, values.data(), count_ * sizeof(float));
  std::fill(values.begin(), values.end(), rubbish);
  copy_bytes(receive_, values.data(), count_ * sizeof(float));
}

std::string Sum::reduce(MPI_Comm communicator) const {
  return text_of(MPI_Allreduce(send_, receive_, static_cast<int>(count_), MPI_FLOAT, MPI_SUM, communicator));
}

std::string Sum::start(MPI_Request* request) const {
  return text_of(
      MPI_Iallreduce(send_, receive_, static_cast<int>(count_), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, request));
}

std::string Sum::check() const {
  const std::vector<float> sent = read(send_, count_);
  const std::vector<float> received = read(receive_, count_);
  for (std::size_t i = 0; i < count_; ++i) {
    float sum = 0;
    for (int rank = 0; rank < job_.ranks; ++rank) sum += number(round_, rank, i);
    if (received[i] != sum) return mistake_at("element", i, sum, received[i]);
    const float own = number(round_, job_.rank, i);
    if (sent[i] != own) return mistake_at("what was sent was written to: element", i, own, sent[i]);
  }
  return "";
}

std::string Sum::settle(MPI_Comm communicator) {
  std::string mistake;
  // All calls on all ranks, whatever one of them has found.
  for (int filling = 0; filling < fillings; ++filling) {
    fill();
    for (int i = 0; i < calls_of_one_filling; ++i) keep_first(mistake, reduce(communicator));
    keep_first(mistake, check());
  }
  return mistake;
}

std::string text_of(int status) {
  if (status == MPI_SUCCESS) return "";
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  return std::string("MPI says: ") + text.data();
}

}  // namespace airamp::gpu_tests
