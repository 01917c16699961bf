// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/intrusive/list.hpp>
#include <cstddef>

#include "apps/airampd/server/connection.hpp"
#include "apps/airampd/server/limits.hpp"

namespace airamp::sidecar {

/// The open connections, in the order in which they began what they do now. When there are too many, or their answers
/// take too much memory, those give way that have been at it for longest. Not thread-safe.
class Connections {
 public:
  explicit Connections(const Limits& limits) : limits_(limits) {}

  const Limits& limits() const { return limits_; }
  std::size_t size() const { return list_.size(); }
  /// Memory that all answers take.
  std::size_t held_bytes() const;

  /// A connection begins something else.
  void put_last(Connection& connection);

  /// Closes one; if possible, one that waits for a request.
  void make_room();

  /// Closes one that waits for its client to take an answer, if all answers take too much memory.
  void limit_held_bytes();

  /// Sends no answers after the present ones.
  void finish();

 private:
  Limits limits_;
  boost::intrusive::list<Connection, boost::intrusive::constant_time_size<false>> list_;
};

}  // namespace airamp::sidecar
