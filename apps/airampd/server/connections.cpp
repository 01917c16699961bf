// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/connections.hpp"

#include <algorithm>

namespace airamp::sidecar {

void Connections::put_last(Connection& connection) {
  connection.unlink();
  list_.push_back(connection);
}

void Connections::make_room() {
  const auto idle = std::ranges::find_if(list_, &Connection::is_idle);
  if (idle != list_.end()) {
    idle->close();
  } else if (!list_.empty()) {
    list_.front().close();
  }
}

std::size_t Connections::held_bytes() const {
  std::size_t sum = 0;
  for (const Connection& connection : list_) sum += connection.held_bytes();
  return sum;
}

void Connections::limit_held_bytes() {
  if (held_bytes() > limits_.held_bytes) std::ranges::find_if_not(list_, &Connection::is_idle)->close();
}

void Connections::finish() {
  for (auto place = list_.begin(); place != list_.end();) {
    Connection& connection = *place++;
    connection.finish();
  }
}

}  // namespace airamp::sidecar
