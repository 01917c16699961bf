// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "stack_buffers.hpp"

#include <utility>

namespace rtm_stack {

StackBuffers::StackBuffers(std::size_t pixels, const DeviceMemory* device)
    : device_(device), contribution_(pixels), sum_(pixels) {
  if (device_ == nullptr) return;
  device_contribution_ = device_->allocate(pixels * sizeof(Half));
  device_sum_ = device_->allocate(pixels * sizeof(Half));
}

void StackBuffers::set_contribution(std::vector<Half> image) {
  contribution_ = std::move(image);
  if (device_ != nullptr) {
    device_->copy(device_contribution_.get(), contribution_.data(), contribution_.size() * sizeof(Half));
  }
}

void StackBuffers::stack(const HalfStack& stack, MPI_Comm communicator) {
  if (device_ == nullptr) {
    stack.allreduce(contribution_.data(), sum_.data(), sum_.size(), communicator);
  } else {
    stack.allreduce(device_contribution_.get(), device_sum_.get(), sum_.size(), communicator);
  }
}

const std::vector<Half>& StackBuffers::sum() {
  if (device_ != nullptr) device_->copy(sum_.data(), device_sum_.get(), sum_.size() * sizeof(Half));
  return sum_;
}

}  // namespace rtm_stack
