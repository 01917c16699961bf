// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "mpitests/differential/buffer.hpp"
#include "mpitests/differential/call.hpp"

namespace airamp::differential {

/// Elements that this rank's buffers of a call must hold.
struct Extents {
  std::size_t send;
  std::size_t receive;
};
Extents extents(const Call& call);

/// Writes this rank's input into `send` and, where the call works in place, into `receive`.
void prepare_send(const Call& call, Buffer& send);
void prepare_receive(const Call& call, Buffer& receive);

/// Makes the call; this rank must be a member of its communicator. Returns MPI's error code.
int execute(const Call& call, const Buffer& send, Buffer& receive);

}  // namespace airamp::differential
