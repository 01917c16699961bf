// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/runtime/device.hpp"
#include "tests/gpu/peer/peer_case.hpp"

namespace airamp::gpu::test {

/// The GPUs of a case's ranks.
struct EmulatedMachine {
  std::vector<std::uint32_t> wave_lanes = {32};  ///< rank after rank, again from the first after the last
  int multiprocessors = 1;
  std::uint32_t seed = 0;  ///< of the order in which things happen
};

/// A rank with a GPU of its own, its scratch memory and its buffers, which have untouched bytes before and after them.
class EmulatedRank {
 public:
  EmulatedRank(const PeerCase& c, int rank, std::uint32_t wave_lanes);
  EmulatedRank(const EmulatedRank&) = delete;
  EmulatedRank& operator=(const EmulatedRank&) = delete;

  Queue& queue() { return queue_; }
  platform::EmulatedStream& stream() { return stream_; }
  std::byte* region() { return region_; }
  bool is_done() const;

  /// Puts the buffers' contents back to what they are before the collective.
  void refill();
  /// Launches the case. `regions`: of all ranks.
  bool launch(const std::vector<std::byte*>& regions, int multiprocessors, Error& error);

  /// What of the output, or beside it, is not as the case wants it; empty if all is well.
  std::string wrong_output() const;
  /// Likewise, if nothing may have been written.
  std::string wrong_if_written() const;
  std::string wrong_region() const;
  /// What of the launch's state is not as before it.
  std::string wrong_state() const;

 private:
  std::string difference_from(const Bytes& wanted) const;

  const PeerCase& case_;
  int rank_;
  platform::EmulatedStream stream_, control_;
  Device device_;
  QueueWords words_ = {};
  device::LaunchState state_;
  Queue queue_;
  std::vector<std::byte> scratch_;
  std::byte* region_;
  Bytes input_, output_;
  std::size_t before_;  ///< bytes before the content
};

/// All ranks of a case.
class EmulatedRanks {
 public:
  EmulatedRanks(const PeerCase& c, const EmulatedMachine& machine);
  ~EmulatedRanks();
  EmulatedRanks(const EmulatedRanks&) = delete;
  EmulatedRanks& operator=(const EmulatedRanks&) = delete;

  EmulatedRank& operator[](int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
  int size() const { return static_cast<int>(ranks_.size()); }

  /// Launches the case on all ranks.
  std::string launch();
  /// Waits until all ranks are done, and says what is wrong: with a rank's output and region as soon as it is said to
  /// be done, and with regions once all that was stored has arrived.
  std::string wait();
  /// Both, and then what of the launches' states is wrong.
  std::string run();

 private:
  /// What `check(rank)` says first.
  template <class Check>
  std::string first_wrong(Check check);

  /// At ranks that are done and were not before.
  void look();

  int multiprocessors_;
  std::vector<bool> seen_;
  std::string wrong_;  ///< with the first that was
  std::vector<std::unique_ptr<EmulatedRank>> ranks_;
};

}  // namespace airamp::gpu::test
