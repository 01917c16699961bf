// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

namespace airamp::sidecar {

/// How much of airampd its clients may take, and for how long.
struct Limits {
  std::size_t request_bytes = 8192;  ///< of a request line and its headers
  int requests = 1000;               ///< on one connection
  std::size_t connections = 4096;
  std::size_t held_bytes = std::size_t{64} << 20U;  ///< of all answers together
  std::chrono::milliseconds request_time{5000};     ///< from the first byte, or connecting, to the empty line
  std::chrono::milliseconds answer_time{10000};     ///< for taking an answer
  std::chrono::milliseconds idle_time{60000};       ///< between two requests
  std::chrono::milliseconds farewell_time{1000};    ///< for closing after the last answer
};

}  // namespace airamp::sidecar
