// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/result_error.hpp"
#include "pmpi/device/gpu_device.hpp"
#include "pmpi/device/measuring_scratch.hpp"

namespace airamp::pmpi {

/// Where the results of one measured call go, so that in the end the application has the native result and nothing of
/// its input is lost in between.
class Trial {
 public:
  /// Of a call and its data. Acquires what it needs. Local.
  static std::unique_ptr<Trial> make(const CollectiveCall& call, CollectiveData data, const LocalFacts& facts,
                                     GpuDevice* device);
  virtual ~Trial() = default;

  /// Whether the memory for it was there.
  virtual bool ready() const = 0;

  /// What the algorithms are given.
  virtual const CollectiveData& data() const = 0;

  /// Before an algorithm or the native call runs: the application's input is as it was. False if a copy failed.
  virtual bool restore_input() = 0;

  /// After a lossy algorithm ran: remembers its result. False if a copy failed.
  virtual bool keep_result() = 0;

  /// After the native call: how far the kept result is from the native one, which is in the receive buffer.
  virtual ResultError compare() = 0;

  /// After the native call, on host buffers: whether the result of the algorithm that ran last is the native one, to
  /// the last bit.
  virtual bool equals_native() { return true; }
};

}  // namespace airamp::pmpi
